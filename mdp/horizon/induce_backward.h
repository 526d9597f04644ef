#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>

#include "base/memory/view.h"
#include "base/progress.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Takes what backward induction finds for each step, from horizon − 1 down to 0: the best expected
/// reward from there on and the action to take then (−1 in terminal states), both (state). They
/// hold during the call alone.
template <class Real>
using StepSink =
    std::function<void(std::int64_t step, View<const Real> value, View<const std::int32_t> action)>;

/// induce_backward() that also hands every step to `sink`. Steps are sweeps over the layout that
/// the options name (layout_of_steps); those whose actions nobody asks for find values alone.
/// Errors: InputError for a horizon under 1; RunError where a value is not finite any more.
template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress,
                                      const std::type_identity_t<StepSink<Real>>& sink);

/// The layout that steps sweep over: what the options say, and where they leave it open, rows as
/// they are for steps so few that another layout is not worth its making.
FusedLayout layout_of_steps(const SolveOptions& options);

/// Refuses a horizon under 1: InputError.
void require_horizon(const SolveOptions& options);

/// Refuses a step that `left` steps before the end changed a value to what is not finite: RunError.
void require_finite(const ValueChange& change, std::int64_t left);

}  // namespace tidewise::mdp

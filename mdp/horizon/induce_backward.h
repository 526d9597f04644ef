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

/// Receives the result of backward induction for each step, from horizon − 1 to 0: the best
/// expected reward from there on and the action (−1 in terminal states), both (state), valid only
/// during the call.
template <class Real>
using StepSink =
    std::function<void(std::int64_t step, View<const Real> value, View<const std::int32_t> action)>;

/// induce_backward() that also passes every step to `sink`. Steps are sweeps over the layout of the
/// options (layout_of_steps); actions are computed only if they are used. Errors: InputError for a
/// horizon under 1; RunError if a value is not finite.
template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress,
                                      const std::type_identity_t<StepSink<Real>>& sink);

/// The layout for the sweeps of steps: that of the options; if it is automatic, rows for a few
/// steps, because another layout takes longer to make than it saves.
FusedLayout layout_of_steps(const SolveOptions& options);

/// Refuses a horizon under 1. Errors: InputError.
void require_horizon(const SolveOptions& options);

/// Refuses values that are not finite, of the step that is `remaining` steps before the end.
/// Errors: RunError.
void require_finite(const ValueChange& change, std::int64_t remaining);

}  // namespace tidewise::mdp

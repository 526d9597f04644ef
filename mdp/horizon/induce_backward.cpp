#include "mdp/horizon/induce_backward.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "mdp/error/codes.h"
#include "mdp/fused/sweeps.h"
#include "mdp/methods/functions.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

// Making another layout takes as long as a few sweeps over rows.
constexpr std::int64_t min_packed_steps = 8;

}  // namespace

void require_horizon(const SolveOptions& options) {
  if (options.horizon >= 1) return;
  throw input_error(errors::horizon_invalid, options.horizon);
}

void require_finite(const ValueChange& change, std::int64_t remaining) {
  if (std::isfinite(change.residual())) return;
  throw RunError(
      fmt::format("{} steps before the end a value is not finite: rewards are too "
                  "large for the precision",
                  remaining));
}

FusedLayout layout_of_steps(const SolveOptions& options) {
  if (options.layout != FusedLayout::automatic) return options.layout;
  return options.horizon < min_packed_steps ? FusedLayout::rows : FusedLayout::automatic;
}

template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress,
                                      const std::type_identity_t<StepSink<Real>>& sink) {
  require_horizon(options);
  const Stopwatch stopwatch;
  ProcessSolution<Real> solution;
  const FusedSweeps<Real> sweeps(process, layout_of_steps(options), options.threads,
                                 options.unloadable);
  solution.model_bytes = sweeps.model_bytes();
  SliceValues<Real> later(process.state_count);
  SliceValues<Real> value(first_values(process));
  const auto states = static_cast<std::size_t>(process.state_count);
  progress.begin("stepping backward", options.horizon, "steps");
  const Stopwatch sweeping;
  for (std::int64_t step = options.horizon - 1; step >= 0; --step) {
    std::swap(later, value);
    ValueChange change = sink || step == 0
                             ? sweeps.sweep_with_actions(later, value, solution.action)
                             : sweeps.sweep(later, value);
    // The difference of finite values may exceed the range of single precision.
    if (!std::isfinite(change.residual())) change = sweeps.exact_change(later, value);
    require_finite(change, options.horizon - step);
    if (sink) sink(step, {value.data(), states}, {solution.action.data(), states});
    progress.advance_to(options.horizon - step);
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  solution.converged = true;
  solution.sweeps = options.horizon;
  solution.value = value.to_vector();
  solution.seconds = stopwatch.seconds();
  return solution;
}

template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress) {
  return induce_backward(process, options, progress, StepSink<Real>{});
}

#define TIDEWISE_INSTANTIATE(Real)                                                             \
  template ProcessSolution<Real> induce_backward(const DecisionProcess<Real>&,                 \
                                                 const SolveOptions&, Progress&,               \
                                                 const std::type_identity_t<StepSink<Real>>&); \
  template ProcessSolution<Real> induce_backward(const DecisionProcess<Real>&,                 \
                                                 const SolveOptions&, Progress&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp

#include "mdp/horizon/induce_backward.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "mdp/fused/sweeps.h"
#include "mdp/methods/host.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

// Laying a model out takes as long as a few sweeps over its rows.
constexpr std::int64_t least_packed_steps = 8;

}  // namespace

void require_horizon(const SolveOptions& options) {
  if (options.horizon >= 1) return;
  throw InputError(
      fmt::format("the horizon of backward induction is {}; give the number of steps, 1 or more",
                  options.horizon));
}

void require_finite(const ValueChange& change, std::int64_t left) {
  if (std::isfinite(change.residual())) return;
  throw RunError(
      fmt::format("{} steps before the end a value is no finite number any more: rewards are too "
                  "large for the precision",
                  left));
}

FusedLayout layout_of_steps(const SolveOptions& options) {
  if (options.layout != FusedLayout::automatic) return options.layout;
  return options.horizon < least_packed_steps ? FusedLayout::rows : FusedLayout::automatic;
}

namespace {

/// All steps, from the last one to the first. `take` does the next one and says how it changed the
/// values; it is told whether its actions are asked for. `hand_over` gives a step to the sink.
template <class Real, class Take, class HandOver>
void step_backward(const SolveOptions& options, bool hands_over, Progress& progress,
                   ProcessSolution<Real>& solution, const Take& take, const HandOver& hand_over) {
  progress.begin("stepping backward", options.horizon, "steps");
  const Stopwatch sweeping;
  for (std::int64_t step = options.horizon - 1; step >= 0; --step) {
    const ValueChange change = take(hands_over || step == 0);
    const std::int64_t done = options.horizon - step;
    require_finite(change, done);
    if (hands_over) hand_over(step);
    progress.advance_to(done);
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  solution.converged = true;
  solution.sweeps = options.horizon;
}

/// By the fused method's sweeps.
template <class Real>
ProcessSolution<Real> induce_backward_fused(const DecisionProcess<Real>& process,
                                            const SolveOptions& options, Progress& progress,
                                            const StepSink<Real>& sink) {
  const Stopwatch whole;
  ProcessSolution<Real> solution;
  const FusedSweeps<Real> sweeps(process, options.layout, options.threads, options.unloadable);
  solution.model_bytes = sweeps.model_bytes();
  SliceValues<Real> later(process.state_count);
  SliceValues<Real> value(first_values(process));
  const auto states = static_cast<std::size_t>(process.state_count);
  step_backward(
      options, static_cast<bool>(sink), progress, solution,
      [&](bool with_actions) {
        std::swap(later, value);
        const ValueChange change = with_actions
                                       ? sweeps.sweep_with_actions(later, value, solution.action)
                                       : sweeps.sweep(later, value);
        // A difference of finite values may leave the range of single precision.
        return std::isfinite(change.residual()) ? change : sweeps.exact_change(later, value);
      },
      [&](std::int64_t step) {
        sink(step, {value.data(), states}, {solution.action.data(), states});
      });
  solution.value = value.to_vector();
  solution.seconds = whole.seconds();
  return solution;
}

}  // namespace

template <class Real>
ProcessSolution<Real> induce_backward_by(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, const Sweep<Real>& sweep,
                                         Progress& progress,
                                         const std::type_identity_t<StepSink<Real>>& sink) {
  const Stopwatch whole;
  require_horizon(options);
  ProcessSolution<Real> solution;
  solution.value = first_values(process);
  solution.action.resize(solution.value.size());
  std::vector<Real> earlier(solution.value.size());
  step_backward(
      options, static_cast<bool>(sink), progress, solution,
      [&](bool) {
        const ValueChange change =
            sweep(solution.value.data(), earlier.data(), solution.action.data());
        std::swap(solution.value, earlier);
        return change;
      },
      [&](std::int64_t step) { sink(step, solution.value, solution.action); });
  solution.seconds = whole.seconds();
  return solution;
}

template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress,
                                      const std::type_identity_t<StepSink<Real>>& sink) {
  require_horizon(options);
  if (layout_of_steps(options) != FusedLayout::rows) {
    return induce_backward_fused(process, options, progress, sink);
  }
  return induce_backward_by(process, options, rows_sweep(view_of(process), options.threads),
                            progress, sink);
}

template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress) {
  return induce_backward(process, options, progress, StepSink<Real>{});
}

#define TIDEWISE_INSTANTIATE(Real)                                                             \
  template ProcessSolution<Real> induce_backward_by(                                           \
      const DecisionProcess<Real>&, const SolveOptions&, const Sweep<Real>&, Progress&,        \
      const std::type_identity_t<StepSink<Real>>&);                                            \
  template ProcessSolution<Real> induce_backward(const DecisionProcess<Real>&,                 \
                                                 const SolveOptions&, Progress&,               \
                                                 const std::type_identity_t<StepSink<Real>>&); \
  template ProcessSolution<Real> induce_backward(const DecisionProcess<Real>&,                 \
                                                 const SolveOptions&, Progress&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp

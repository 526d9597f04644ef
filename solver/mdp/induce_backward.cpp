#include "solver/mdp/induce_backward.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "solver/mdp/first_values.h"
#include "solver/mdp/host_methods.h"

namespace tidewise {

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
  progress.begin("stepping backward", options.horizon, "steps");
  const Stopwatch sweeping;
  for (std::int64_t step = options.horizon - 1; step >= 0; --step) {
    const ValueChange change = sweep(solution.value.data(), earlier.data(), solution.action.data());
    std::swap(solution.value, earlier);
    const std::int64_t done = options.horizon - step;
    require_finite(change, done);
    if (sink) {
      sink(step, {solution.value.data(), solution.value.size()},
           {solution.action.data(), solution.action.size()});
    }
    progress.advance_to(done);
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  solution.converged = true;
  solution.sweeps = options.horizon;
  solution.seconds = whole.seconds();
  return solution;
}

template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress,
                                      const std::type_identity_t<StepSink<Real>>& sink) {
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

}  // namespace tidewise

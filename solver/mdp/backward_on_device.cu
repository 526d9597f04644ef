#include "base/stopwatch.h"
#include "solver/mdp/device_kernels.h"
#include "solver/mdp/device_sweeps.cuh"
#include "solver/mdp/induce_backward.h"

namespace tidewise {

template <class Real>
ProcessSolution<Real> backward_on_device(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress) {
  const Stopwatch whole;
  require_horizon(options);
  ProcessSolution<Real> solution;
  DeviceSweeps<Real> sweeps(process);
  progress.begin("stepping backward", options.horizon, "steps");
  const Stopwatch sweeping;
  sweeps.launch(0);
  for (std::int64_t n = 0; n < options.horizon; ++n) {
    if (n + 1 < options.horizon) sweeps.launch(n + 1);
    require_finite(sweeps.change(n), n + 1);
    progress.advance_to(n + 1);
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  sweeps.fetch_result(options.horizon - 1, solution.value, solution.action);
  solution.converged = true;
  solution.sweeps = options.horizon;
  solution.seconds = whole.seconds();
  return solution;
}

template ProcessSolution<float> backward_on_device(const DecisionProcess<float>&,
                                                   const SolveOptions&, Progress&);
template ProcessSolution<double> backward_on_device(const DecisionProcess<double>&,
                                                    const SolveOptions&, Progress&);

}  // namespace tidewise

#include "base/stopwatch.h"
#include "mdp/methods/device_kernels.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/sweeps/device_sweeps.cuh"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> values_on_device(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress) {
  const Stopwatch whole;
  ProcessSolution<Real> solution;
  DeviceSweeps<Real> sweeps(process);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::jacobi);
  progress.begin("sweeping", 0, "sweeps");
  const Stopwatch sweeping;
  ValueChange change;
  Verdict verdict = Verdict::go_on;
  std::int64_t n = 0;
  sweeps.launch(n);
  for (;; ++n) {
    // The next sweep runs while this one's change is on its way; where it was the last, the other
    // one is for nothing.
    if (n + 1 < options.most_sweeps) sweeps.launch(n + 1);
    change = sweeps.change(n);
    verdict = monitor.after(change, process, [&]() -> const std::vector<Real>& {
      sweeps.fetch_result(n, solution.value, solution.action);
      return solution.value;
    });
    progress.advance_to(monitor.sweeps());
    if (verdict != Verdict::go_on) break;
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  sweeps.fetch_result(n, solution.value, solution.action);
  solution.converged = verdict == Verdict::converged;
  solution.sweeps = monitor.sweeps();
  centre_values(change, process.discount, options, solution);
  solution.seconds = whole.seconds();
  return solution;
}

template ProcessSolution<float> values_on_device(const DecisionProcess<float>&, const SolveOptions&,
                                                 Progress&);
template ProcessSolution<double> values_on_device(const DecisionProcess<double>&,
                                                  const SolveOptions&, Progress&);

}  // namespace tidewise::mdp

#include "base/stopwatch.h"
#include "mdp/methods/functions.h"
#include "mdp/methods/instantiate.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"
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
  ValueChange change;
  std::int64_t n = -1;
  run_until_verdict(monitor, progress, solution, [&] {
    if (++n == 0) sweeps.launch(n);
    // The next sweep runs while this one's change is on its way; where it was the last, the other
    // one is for nothing.
    if (n + 1 < options.most_sweeps) sweeps.launch(n + 1);
    change = sweeps.change(n);
    return monitor.after(change, process, [&]() -> const std::vector<Real>& {
      sweeps.fetch_result(n, solution.value, solution.action);
      return solution.value;
    });
  });
  sweeps.fetch_result(n, solution.value, solution.action);
  centre_values(change, process.discount, options, solution);
  solution.seconds = whole.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(values_on_device)

}  // namespace tidewise::mdp

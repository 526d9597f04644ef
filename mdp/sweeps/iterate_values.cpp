#include "mdp/sweeps/iterate_values.h"

#include <utility>

#include "base/stopwatch.h"
#include "mdp/methods/host.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> iterate_values_by(const DecisionProcess<Real>& process,
                                        const SolveOptions& options, const Sweep<Real>& sweep,
                                        Progress& progress) {
  const Stopwatch whole;
  ProcessSolution<Real> solution;
  solution.value = first_values(process);
  solution.action.resize(solution.value.size());
  std::vector<Real> next(solution.value.size());
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::jacobi);
  progress.begin("sweeping", 0, "sweeps");
  const auto here = [&]() -> const std::vector<Real>& { return solution.value; };
  ValueChange change;
  run_until_verdict(monitor, progress, solution, [&] {
    change = sweep(solution.value.data(), next.data(), solution.action.data());
    std::swap(solution.value, next);
    return monitor.after(change, process, here);
  });
  centre_values(change, process.discount, options, solution);
  solution.seconds = whole.seconds();
  return solution;
}

template <class Real>
ProcessSolution<Real> iterate_values(const DecisionProcess<Real>& process,
                                     const SolveOptions& options, Progress& progress) {
  return iterate_values_by(process, options, rows_sweep(view_of(process), options.threads),
                           progress);
}

#define TIDEWISE_INSTANTIATE(Real)                                                                 \
  template ProcessSolution<Real> iterate_values_by(                                                \
      const DecisionProcess<Real>&, const SolveOptions&, const Sweep<Real>&, Progress&);           \
  template ProcessSolution<Real> iterate_values(const DecisionProcess<Real>&, const SolveOptions&, \
                                                Progress&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp

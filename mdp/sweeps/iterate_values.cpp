#include "mdp/sweeps/iterate_values.h"

#include <utility>

#include "base/stopwatch.h"
#include "mdp/graph/endless_gain.h"
#include "mdp/methods/host.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/sweep_monitor.h"

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
  SweepMonitor monitor(process.state_count, process.discount, options,
                       centres(process.discount, options));
  progress.begin("sweeping", 0, "sweeps");
  const Stopwatch sweeping;
  ValueChange change;
  SweepVerdict verdict = SweepVerdict::go_on;
  while (verdict == SweepVerdict::go_on) {
    change = sweep(solution.value.data(), next.data(), solution.action.data());
    std::swap(solution.value, next);
    verdict = monitor.validate(change);
    if (monitor.look_closely() &&
        !endless_gain(process, solution.value, options.tolerance).empty()) {
      verdict = SweepVerdict::given_up;
    }
    progress.advance_to(monitor.sweeps());
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  solution.converged = verdict == SweepVerdict::converged;
  solution.sweeps = monitor.sweeps();
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

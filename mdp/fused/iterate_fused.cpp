#include <cstdint>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "mdp/fused/sweeps.h"
#include "mdp/methods/host.h"
#include "mdp/methods/instantiate.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> iterate_fused(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress) {
  const Stopwatch whole;
  ProcessSolution<Real> solution;
  const FusedSweeps<Real> sweeps(process, options.layout, options.threads);
  solution.model_bytes = sweeps.model_bytes();
  SliceValues<Real> before(process.state_count);
  SliceValues<Real> value(first_values(process));
  const auto criterion = StopCriterion<Real>::of(process.discount, options);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::jacobi);
  progress.begin("fused value iteration", 0, "sweeps");
  const Stopwatch sweeping;
  // Asked for no sweep, none is done.
  Verdict verdict = options.most_sweeps > 0 ? Verdict::go_on : Verdict::given_up;
  while (verdict == Verdict::go_on) {
    std::swap(before, value);
    ValueChange change = sweeps.sweep(before, value);
    if (criterion.may_be_last(change.least, change.most))
      change = sweeps.exact_change(before, value);
    verdict = monitor.after(change, process, [&] { return value.to_vector(); });
    progress.advance_to(monitor.sweeps());
  }
  solution.converged = verdict == Verdict::converged;
  solution.sweeps = monitor.sweeps();
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  // The last sweep again, now for its actions: sweeps that nobody asks write fewer words. It writes
  // what is there; where there was no sweep, it writes where nobody looks.
  const bool swept = solution.sweeps > 0;
  const bool moves = swept && centres(process.discount, options);
  const ValueChange last = moves ? sweeps.exact_change(before, value) : ValueChange{};
  sweeps.sweep_with_actions(swept ? before : value, swept ? value : before, solution.action);
  before = SliceValues<Real>(0);  // a copy fewer at a time
  solution.value = value.to_vector();
  if (moves) centre_values(last, process.discount, options, solution);
  solution.seconds = whole.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_fused)

}  // namespace tidewise::mdp

#include "base/stopwatch.h"
#include "mdp/backup/bellman.h"
#include "mdp/methods/host.h"
#include "mdp/methods/instantiate.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/run_until_verdict.h"

namespace tidewise::mdp {
namespace {

/// Backs states up one after another, each by what those before it have just become.
template <class Real>
ValueChange sweep_in_place(const ProcessView<Real>& process, Real* value, std::int32_t* action) {
  ValueChange change;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const BestAction<Real> best = best_action(process, value, state);
    change.include(static_cast<double>(best.value) - static_cast<double>(value[state]));
    value[state] = best.value;
    action[state] = best.action;
  }
  return change;
}

}  // namespace

// MacQueen's bounds belong to Jacobi sweeps: here a state's change already holds what those before
// it have changed by in the same sweep. What holds is that this sweep, like Jacobi's, brings any
// two sets of values nearer to each other by γ in their greatest difference, and has V* for its
// fixed point, so that |V* − V'| ≤ γ/(1−γ) max |V' − V|. That is what may_stop() asks for where
// values are not to be centred. Source: Puterman, "Markov Decision Processes", 1994, section 6.3.3;
// Bertsekas, "Dynamic Programming and Optimal Control" II, section 2.2.2.
template <class Real>
ProcessSolution<Real> iterate_gauss_seidel(const DecisionProcess<Real>& process,
                                           const SolveOptions& options, Progress& progress) {
  const Stopwatch whole;
  ProcessSolution<Real> solution;
  solution.value = first_values(process);
  solution.action.resize(solution.value.size());
  const ProcessView<Real> view = view_of(process);
  ConvergenceMonitor monitor(process.state_count, process.discount, options, SweepKind::in_place);
  progress.begin("sweeping", 0, "sweeps");
  const auto here = [&]() -> const std::vector<Real>& { return solution.value; };
  run_until_verdict(monitor, progress, solution, [&] {
    return monitor.after(sweep_in_place(view, solution.value.data(), solution.action.data()),
                         process, here);
  });
  solution.seconds = whole.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_gauss_seidel)

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/policy/evaluation_end.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "mdp/stop/convergence_monitor.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {

/// Refuses a negative number of evaluation sweeps. Not a template, so that CUDA files do not
/// include the tables of errors. Errors: InputError.
void require_evaluation_sweeps(const SolveOptions& options);

/// The `tie` of keep_action(): with StoppingRule::policy an improvement keeps actions within it;
/// else −1, so that it takes the best.
inline double tie_to_keep(double discount, const SolveOptions& options) {
  return options.stop == StoppingRule::policy ? tie_within(discount, options, 1) : -1;
}

/// Modified policy iteration on any backend: improvements V ← T V with π greedy for V, and between
/// them options.evaluation_sweeps sweeps V ← r_π + γ P_π V. It ends with an improvement for which
/// may_stop() is true. With StoppingRule::policy an evaluation goes on until a sweep changes every
/// value by less than the tolerance, at most for options.max_sweeps, and iteration ends with an
/// improvement that changes no action. Fills sweeps, improvements, policy_changes, sweep_seconds
/// and converged of `solution`.
///
/// `Policies` has: PolicyStep improve(), complete when it returns; std::int64_t evaluate(end,
/// policy_changed, report), which sweeps until the EvaluationEnd is due, calls report(sweeps so
/// far) from time to time, and returns the number of sweeps; policy_changed is true if the previous
/// improvement changed the policy; bool rounds_alike(), true if evaluation gives the same bits as
/// improvement for the same policy; std::vector<Real> values(), (state). Gives up as
/// ConvergenceMonitor decides. Returns the change of the last improvement. Errors: RunError if a
/// value is not finite. Source: Puterman and Shin, "Modified policy iteration algorithms for
/// discounted Markov decision problems", Management Science 24, 1978.
template <class Real, class Policies>
ValueChange alternate(Policies& policies, const DecisionProcess<Real>& process,
                      const SolveOptions& options, Progress& progress,
                      ProcessSolution<Real>& solution) {
  require_evaluation_sweeps(options);
  const Stopwatch watch;
  const bool until_stable = options.stop == StoppingRule::policy;
  SolveOptions monitored = options;
  if (until_stable) monitored.max_sweeps = std::numeric_limits<std::int64_t>::max();
  const std::int64_t max_sweeps = std::max<std::int64_t>(monitored.max_sweeps, 1);
  progress.begin("solving", 0, "sweeps");
  PolicyStep step;
  ConvergenceMonitor monitor(process.state_count, static_cast<double>(process.discount), monitored,
                             SweepKind::improvements);
  std::int64_t evaluation_count = 0;  // sweeps of the last evaluation
  for (;;) {
    step = policies.improve();
    ++solution.improvements;
    ++solution.sweeps;
    // Evaluation may have made values infinite. They stay infinite, so the change does not show it.
    if (!std::isfinite(step.max)) throw_not_finite(solution.sweeps);
    solution.policy_changes += step.policy_changes;
    progress.advance_to(solution.sweeps);
    const Verdict verdict = monitor.after(
        step.change, process, [&] { return policies.values(); }, evaluation_count + 1,
        rounding_of<Real>(step.max));
    const bool is_stable = until_stable && step.policy_changes == 0;
    solution.converged = verdict == Verdict::converged || is_stable;
    if (verdict != Verdict::go_on || is_stable) break;
    // One sweep is reserved for the last improvement, which finds policy and bounds.
    std::int64_t sweeps =
        std::min<std::int64_t>(until_stable ? options.max_sweeps : options.evaluation_sweeps,
                               max_sweeps - solution.sweeps - 1);
    // Without evaluation this is value iteration, whose rounding is consistent.
    if (!policies.rounds_alike() && monitor.is_stalled()) sweeps = 0;
    const EvaluationEnd end(sweeps, until_stable ? options.tolerance : 0, monitor.patience());
    evaluation_count = policies.evaluate(end, step.policy_changes > 0, [&](std::int64_t done) {
      progress.advance_to(solution.sweeps + done);
    });
    solution.sweeps += evaluation_count;
  }
  progress.end();
  solution.sweep_seconds = watch.seconds();
  return step.change;
}

}  // namespace tidewise::mdp

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
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "mdp/stop/change_monitor.h"
#include "mdp/stop/divergence_monitor.h"
#include "mdp/stop/sweep_criterion.h"
#include "mdp/stop/sweep_monitor.h"

namespace tidewise::mdp {

/// Sees when evaluation that rounds in its own way brings values no closer: each improvement then
/// puts right what the last evaluation rounded otherwise, for ever.
class StallMonitor {
 public:
  /// `unit`: the relative rounding of a value.
  explicit StallMonitor(double unit) : unit_(unit) {}

  /// Whether values change by no more than rounding does, and over some improvements by no less
  /// than before them. Once so, always so.
  bool is_stalled_after(const PolicyStep& step) {
    const double change = step.change.most - step.change.least;
    const bool is_rounding = change <= rounding_units * unit_ * step.greatest;
    if (!is_rounding) {
      watched_ = 0;
    } else if (watched_++ % period == 0) {
      is_stalled_ = is_stalled_ || (watched_ > 1 && change > 0.9 * change_before_);
      change_before_ = change;
    }
    return is_stalled_;
  }

 private:
  static constexpr double rounding_units = 64;  // more than the sums of long rows differ by
  static constexpr int period = 8;              // improvements
  double unit_;
  double change_before_ = 0;  // a period ago
  int watched_ = 0;           // improvements in a row that changed no more than rounding does
  bool is_stalled_ = false;
};

/// Modified policy iteration whoever computes: improvements V ← T V with π greedy for V, and
/// between two of them options.evaluation_sweeps sweeps V ← r_π + γ P_π V. It ends with an
/// improvement, by may_stop() of what that changed. Fills sweeps, improvements, policy_changes,
/// sweep_seconds and converged of `solution`.
///
/// `Policies`: PolicyStep improve(), complete when it returns, and void evaluate(sweeps,
/// policy_changed), where policy_changed says whether the improvement just before found another
/// policy; bool rounds_alike(), whether evaluation gives the bits that improvement gives for the
/// same policy; std::vector<Real> values(), (state). With γ = 1 it gives up as SweepMonitor does,
/// and where values prove that rewards are gained without end. Returns what the last improvement
/// changed. Errors: RunError when a value is not finite any more. Source: Puterman and Shin,
/// "Modified policy iteration algorithms for discounted Markov decision problems", Management
/// Science 24, 1978.
template <class Real, class Policies>
ValueChange alternate(Policies& policies, const DecisionProcess<Real>& process,
                      const SolveOptions& options, Progress& progress,
                      ProcessSolution<Real>& solution) {
  if (options.evaluation_sweeps < 0) {
    throw InputError("evaluation sweeps between improvements cannot be negative; give 0 or more");
  }
  const Stopwatch watch;
  const std::int64_t most_sweeps = std::max<std::int64_t>(options.most_sweeps, 1);
  progress.begin("solving", 0, "sweeps");
  PolicyStep step;
  StallMonitor stall(std::numeric_limits<Real>::epsilon());
  DivergenceMonitor<Real> endless(process, options);
  ChangeMonitor looks(static_cast<double>(process.discount), options);
  std::int64_t unseen = 0;  // sweeps
  for (;;) {
    step = policies.improve();
    ++solution.improvements;
    ++solution.sweeps;
    // The change does not tell: evaluation may have made values infinite, which then stay.
    if (!std::isfinite(step.greatest)) throw_not_finite(solution.sweeps);
    solution.policy_changes += step.policy_changes;
    progress.advance_to(solution.sweeps);
    solution.converged =
        may_stop(step.change, static_cast<double>(process.discount), options, true);
    if (solution.converged || solution.sweeps == most_sweeps) break;
    looks.see(solution.sweeps, looks.measure(step.change));
    if (looks.is_hopeless()) break;  // only rounding is left, and it will not come to rest
    if (endless.gives_up(step.change, unseen + 1, [&] { return policies.values(); })) break;
    // One sweep stays for the improvement that must come last: it knows policy and bounds.
    std::int64_t sweeps =
        std::min<std::int64_t>(options.evaluation_sweeps, most_sweeps - solution.sweeps - 1);
    // Improvements alone are value iteration, whose rounding is one with itself.
    if (!policies.rounds_alike() && stall.is_stalled_after(step)) sweeps = 0;
    policies.evaluate(sweeps, step.policy_changes > 0);
    solution.sweeps += sweeps;
    unseen = sweeps;
  }
  progress.end();
  solution.sweep_seconds = watch.seconds();
  return step.change;
}

}  // namespace tidewise::mdp

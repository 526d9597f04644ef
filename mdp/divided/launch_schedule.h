#pragma once

#include <algorithm>
#include <cstdint>

#include "mdp/stop/change_monitor.h"

namespace tidewise::mdp {

/// When Block Divided Iteration launches blocks and when it judges. A launch's change gives no
/// bounds, because states read values of different ages; so launches go on until their change lets
/// hope, and then one Jacobi sweep judges by MacQueen's bounds. Where that was too early, the next
/// try waits for a change smaller in proportion. Launches whose change does not tell are followed
/// by a judgement all the same, ever more seldom.
class LaunchSchedule {
 public:
  LaunchSchedule(double discount, const SolveOptions& options) : monitor_(discount, options) {}

  /// Launches until the next look, at least 1.
  std::int64_t launches_until_look() const { return monitor_.sweeps_until(goal_); }
  /// What was seen of the last launch, after `sweeps` in all.
  void see_launch(std::int64_t sweeps, const ValueChange& change) {
    launch_measure_ = monitor_.measure(change);
    monitor_.see(sweeps, launch_measure_);
    is_due_ = launch_measure_ <= goal_ || sweeps >= 2 * judged_at_ + 64 || is_hopeless();
  }
  bool is_judgement_due() const { return is_due_; }
  /// Launches change no less than long ago: the next judgement is the last one.
  bool is_hopeless() const { return monitor_.is_hopeless(); }
  /// What a judging sweep has seen, which was not enough.
  void see_judgement(std::int64_t sweeps, const ValueChange& change) {
    const double measure = monitor_.measure(change);
    if (launch_measure_ <= goal_ && measure > 0) {
      goal_ =
          std::min(0.9 * goal_, std::max(0.1 * launch_measure_, 0.9 * launch_measure_ / measure));
    }
    judged_at_ = sweeps;
    is_due_ = false;
  }

 private:
  ChangeMonitor monitor_;
  double goal_ = 1;  ///< of a launch's measure
  double launch_measure_ = 0;
  std::int64_t judged_at_ = 0;
  bool is_due_ = false;
};

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "solver/step/mission.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"

namespace tidewise {

/// Between what the value of states lies from which the target is not met before some level
/// (docs/model.md, 3.8), as the backward pass computes it, its rounding included. Requires that
/// nothing is harvested: then every step has one of a few rewards.
class WorthBounds {
 public:
  /// `step_rewards`: of all actions. `latest`: the level before which the target is not met.
  /// `window`: no step comes to more columns and rows together.
  WorthBounds(const EnvironmentInfo& info, const Mission& mission,
              const std::vector<float>& step_rewards, TimeLevel latest, std::int32_t window)
      : last_(mission.last),
        latest_(latest),
        arrival_(mission.arrival_reward),
        best_step_(*std::max_element(step_rewards.begin(), step_rewards.end())),
        worst_step_(*std::min_element(step_rewards.begin(), step_rewards.end())),
        window_(window) {
    const BoundaryValue at_boundary = boundary_value(info, mission);
    best_failure_ = std::max(mission.failure.obstacle, mission.failure.outside);
    worst_failure_ = std::min(mission.failure.obstacle, mission.failure.outside);
    if (mission.margin > 0) {
      const NearnessPrice price = nearness_price(mission);
      worst_place_ = std::min(price.obstacle, price.outside);
    }
    for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) {
      const double late = at_boundary.late(cell);
      best_failure_ = std::max(best_failure_, late);
      worst_failure_ = std::min(worst_failure_, late);
    }
  }

  /// A state of level k fails, or arrives after as many whole steps as there are to `latest`.
  float greatest(TimeLevel k) const {
    double most = best_failure_ + std::max(0.0, best_step_) * steps(k);
    if (latest_ < last_) {
      const double before = latest_.value - k.value;
      most = std::max(most, arrival_ + best_step_ * (best_step_ > 0 ? steps(k) : before));
    }
    return rounded(most + margin(k));
  }
  float least(TimeLevel k) const {
    const double spent = (std::min(0.0, worst_step_) + worst_place_) * steps(k);
    return rounded(std::min(worst_failure_, arrival_) + spent - margin(k));
  }

 private:
  double steps(TimeLevel k) const { return last_.value - k.value; }
  /// What the sums of so many levels may round: each of a window's products and rows by 2^-24 of
  /// the greatest magnitude there is, and some for the reward and the last multiplication; twice.
  double margin(TimeLevel k) const {
    const double magnitude =
        std::max({std::abs(best_failure_), std::abs(worst_failure_), std::abs(arrival_)}) +
        (std::max(std::abs(best_step_), std::abs(worst_step_)) + std::abs(worst_place_)) *
            last_.value;
    return (steps(k) + 1) * (window_ + 8) * magnitude * 0x1p-23;
  }
  static float rounded(double value) { return static_cast<float>(value); }

  TimeLevel last_;
  TimeLevel latest_;
  double arrival_;
  double best_step_;
  double worst_step_;
  double best_failure_;
  double worst_failure_;
  double worst_place_ = 0;  ///< of the prices of nearness, 0 or less
  std::int32_t window_;
};

}  // namespace tidewise

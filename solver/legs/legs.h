#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

// A mission with via points (Mission::via) is flown in legs: leg n ends at via point n, and the
// last, leg via.size(), at the target (docs/model.md, 3.7).

/// One leg as a mission. All legs except the last have no target: a solver takes over the next
/// leg's values in the cells of the via point. The penalty for being late includes the rest of the
/// route.
Mission leg_mission(const Mission& mission, std::size_t leg);

/// All legs as missions.
std::vector<Mission> leg_missions(const Mission& mission);

/// True if the cell belongs to the via point.
bool is_in(const ViaPlace& place, CellIndex cell);

/// The leg after level k of a flight on `leg` that is in this cell at level k. Records each via
/// point that it passes in `passed` (Trajectory::passed).
std::size_t pass_via_points(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                            std::vector<std::int32_t>& passed);

/// The legs of a policy from one leg on, for a vehicle that has passed the earlier via points.
class LaterLegs final : public PolicySource {
 public:
  /// `policy` must outlive the object and have leg `first`.
  LaterLegs(const PolicySource& policy, std::size_t first) : policy_(policy), first_(first) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    leg(0).read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override { leg(0).read_value(k, value); }
  const PolicySource& leg(std::size_t n) const override { return policy_.leg(first_ + n); }

 private:
  const PolicySource& policy_;
  std::size_t first_;
};

}  // namespace tidewise

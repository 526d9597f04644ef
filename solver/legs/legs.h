#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

// A mission that passes places on its way (Mission::via) is flown in legs: leg n ends in place n,
// and the last one, leg via.size(), in the target (docs/model.md, 3.7).

/// One leg as a mission of its own. All but the last have no target: a solver takes over what the
/// next leg has found in the place, and who is late has the rest of the way to go too.
Mission leg_mission(const Mission& mission, std::size_t leg);

/// All of them.
std::vector<Mission> leg_missions(const Mission& mission);

/// Whether a cell is one of the place's.
bool is_in(const ViaPlace& place, CellIndex cell);

/// The leg that a flight on `leg` is on from level k, where it is in this cell. Every place that it
/// passes so is noted in `passed` (Trajectory::passed).
std::size_t pass_places(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                        std::vector<std::int32_t>& passed);

/// A policy of several legs from one of them on, for who has passed the places before it.
class LaterLegs final : public PolicySource {
 public:
  /// `policy` must outlive it, and have that leg.
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

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

// A mission that passes places on its way (Mission::via) is flown in legs: leg n ends in place n,
// and the last one, leg via.size(), in the target (docs/model.md, 3.7).

/// One leg as a mission of its own. All but the last have no target: who reaches the place goes on
/// as its `next` has it, which the caller sets, and who is late has the rest of the way to go too.
Mission leg_mission(const Mission& mission, std::size_t leg);

/// All of them.
std::vector<Mission> leg_missions(const Mission& mission);

/// Whether a cell is one of the place's.
bool is_in(const ViaPlace& place, CellIndex cell);

/// The leg that a flight on `leg` is on from level k, where it is in this cell. Every place that it
/// passes so is noted in `passed` (Trajectory::passed).
std::size_t pass_places(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                        std::vector<std::int32_t>& passed);

/// Solves the legs from the last to the first, each with what the next one is worth where it
/// begins. `solve`: of a leg as a mission; `sink_of`: where a leg's policy goes.
SolveReport solve_legs(
    const Mission& mission,
    const std::function<SolveReport(const Mission& leg, PolicySink& sink)>& solve,
    const std::function<PolicySink&(std::size_t leg)>& sink_of);

/// The policies of all legs, as one.
class LegPolicies final : public PolicySource {
 public:
  /// They must outlive it; one at least.
  explicit LegPolicies(std::vector<const PolicySource*> legs) : legs_(std::move(legs)) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    legs_.front()->read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override {
    legs_.front()->read_value(k, value);
  }
  const PolicySource& leg(std::size_t n) const override { return *legs_.at(n); }

 private:
  std::vector<const PolicySource*> legs_;
};

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

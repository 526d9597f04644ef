#pragma once

#include <cstdint>
#include <optional>

#include "solver/pass/solve_report.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Passes on only the levels that decide.
class DecidingLevels final : public PolicySink {
 public:
  /// `sink` must outlive the object.
  DecidingLevels(const Decisions& decisions, PolicySink& sink)
      : decisions_(decisions), sink_(sink) {}
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    if (decisions_.since(k) == 0) sink_.accept(leg, k, action, value);
  }

 private:
  Decisions decisions_;
  PolicySink& sink_;
};

/// Calls solve(mission, sink), which solves one phase. For a policy that holds actions and is for
/// all departures (Decisions::for_all_departures), it calls `solve` once for each phase. `sink` may
/// be null.
template <class Solve>
SolveReport solve_phases(const Mission& mission, PolicySink* sink, const Solve& solve) {
  if (!mission.decisions.hold() || !mission.decisions.for_all_departures) {
    return solve(mission, sink);
  }
  SolveReport report;
  Mission phase_mission = mission;
  phase_mission.decisions.for_all_departures = false;
  for (std::int32_t phase = 0; phase < mission.decisions.every; ++phase) {
    phase_mission.decisions.phase = TimeLevel(phase);
    std::optional<DecidingLevels> deciding;
    if (sink != nullptr) deciding.emplace(phase_mission.decisions, *sink);
    report += solve(phase_mission, deciding ? &*deciding : nullptr);
  }
  return report;
}

}  // namespace tidewise

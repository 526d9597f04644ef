#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "solver/flight/step_context.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/trajectory.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/legs/legs.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// The flow and the mission that several flights share. Its parts must outlive it.
struct OceanToFly {
  const EnvironmentInfo& info;
  const InMemoryLevels& levels;  ///< from the mission's departure to its last level
  const PlanningProblem problem;
  const std::vector<ActionEffect>& effects;  ///< action_effects() of the problem
  const std::vector<Mission> legs = leg_missions(problem.mission);
};

/// One flight through one realization in memory, step by step, with the rules and bits of a
/// continuous flight of solver/fly/rollout.h. The caller may change the policy at every level.
class OceanFlight {
 public:
  /// Starts at the mission's departure. `ocean` must outlive the flight.
  OceanFlight(const OceanToFly& ocean, std::int32_t realization);

  bool under_way() const { return ensemble_.state[0] == StepOutcome::under_way; }
  TimeLevel level() const { return level_; }
  /// Leg of the mission (solver/legs/legs.h), counted from 0.
  std::size_t leg() const { return leg_; }
  const Vehicle& vehicle() const { return ensemble_.vehicle[0]; }
  CellIndex cell() const;
  std::int32_t realization() const { return ensemble_.number[0]; }

  /// Flies a step by the policy of leg() and level(), (y, x). Requires a flight under way. Returns
  /// the action taken, no_action if the policy has none.
  std::int16_t step(View<const std::int16_t> policy);

  /// Returns the completed flight. It ends where its battery is empty, if that comes first.
  Trajectory close();

 private:
  void pass_via_points();

  const OceanToFly& ocean_;
  TimeLevel level_;
  std::size_t leg_ = 0;
  std::vector<std::int32_t> passed_;  // as Trajectory::passed
  Ensemble<> ensemble_;
  FlightLog<> log_;
  std::vector<std::int32_t> column_{0};  // FlightLogView::column of the only flight
  TrajectoryAccumulator accumulator_;
};

}  // namespace tidewise

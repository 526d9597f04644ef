#include "solver/route/mean_flight.h"

#include <limits>
#include <vector>

#include "env/levels/level_pair.h"
#include "solver/flight/continuous_step.h"
#include "solver/fly/ensemble.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"

namespace tidewise {
namespace {

TrajectoryPoint point_of(const Vehicle& vehicle) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  return {vehicle.x,
          vehicle.y,
          nan,
          nan,
          static_cast<float>(vehicle.spent),
          static_cast<float>(vehicle.harvested)};
}

}  // namespace

Trajectory fly_through_mean(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const Mission& mission = problem.mission;
  const std::vector<Mission> legs = leg_missions(mission);
  std::size_t leg = 0;
  const std::vector<ActionEffect> effects = action_effects(problem, info.time.step);
  std::vector<std::int16_t> actions(static_cast<std::size_t>(info.grid.cell_count()));
  LevelPair levels(environment, mission.departure, mission.last);
  const Ensemble<> ensemble =
      depart(info, legs[0], RolloutMode::continuous, {no_realization},
             levels.next().masked[static_cast<std::size_t>(mission.start.value)]);
  Vehicle vehicle = ensemble.vehicle[0];
  StepOutcome state = ensemble.state[0];
  Trajectory flight;
  flight.realization = no_realization;
  flight.begun = mission.begun;
  flight.points.push_back(point_of(vehicle));
  const auto pass_via_points = [&](TimeLevel k) {
    if (state != StepOutcome::under_way) return;
    const CellIndex cell =
        info.grid.cell(info.grid.column_at(vehicle.x), info.grid.row_at(vehicle.y));
    leg = tidewise::pass_via_points(mission, k, cell, leg, flight.passed);
  };
  pass_via_points(mission.departure);
  const auto step = [&](TimeLevel k, LevelView now, const LevelView& next) {
    const Mission& current = legs[leg];
    read_policy(policy.leg(leg), k, effects.size(), actions);
    now.mode_count = 0;  // without modes coefficients are not read
    StepContext context =
        make_step_context(info, current, k, now, next, {current.target, actions, effects});
    context.error = {};  // the flight through the mean has no error
    const StepRecord record = ContinuousStep<>{context}(0, vehicle);
    state = record.outcome;
    if (record.action == no_action) return false;
    const Action& action = problem.actions[static_cast<std::size_t>(record.action)];
    flight.points.back().heading = static_cast<float>(action.heading);
    flight.points.back().speed = static_cast<float>(action.speed);
    if (info.velocities > 1) flight.profiles.push_back(static_cast<std::uint8_t>(action.profile));
    flight.points.push_back(point_of(vehicle));
    pass_via_points(TimeLevel(k.value + 1));
    return state == StepOutcome::under_way;
  };
  walk_forward(levels, mission.departure, mission.last, "flying through the mean flow", progress,
               state == StepOutcome::under_way, step);
  flight.outcome = final_outcome(state);
  flight.total_reward = vehicle.total_reward;
  flight.last_step = static_cast<double>(vehicle.last_step);
  return flight;
}

}  // namespace tidewise

#include "planner/learning/ocean_flight.h"

#include <utility>

#include "solver/fly/battery.h"
#include "solver/fly/fly_step.h"

namespace tidewise {
namespace {

Ensemble<> single_flight(const OceanToFly& ocean, std::int32_t realization) {
  const Mission& mission = ocean.problem.mission;
  const LevelView level = ocean.levels.level(mission.departure);
  return depart(ocean.info, mission, RolloutMode::continuous, {realization},
                level.masked[static_cast<std::size_t>(mission.start.value)]);
}

}  // namespace

OceanFlight::OceanFlight(const OceanToFly& ocean, std::int32_t realization)
    : ocean_(ocean),
      level_(ocean.problem.mission.departure),
      ensemble_(single_flight(ocean, realization)),
      log_(1, 1),
      accumulator_(ocean.problem.actions, ensemble_, {0}, 1) {
  pass_via_points();
}

void OceanFlight::pass_via_points() {
  if (!under_way()) return;
  leg_ = tidewise::pass_via_points(ocean_.problem.mission, level_, cell(), leg_, passed_);
}

CellIndex OceanFlight::cell() const {
  const Grid& grid = ocean_.info.grid;
  return grid.cell(grid.column_at(vehicle().x), grid.row_at(vehicle().y));
}

std::int16_t OceanFlight::step(View<const std::int16_t> policy) {
  const Mission& mission = ocean_.legs[leg_];
  const StepContext context = make_step_context(
      ocean_.info, mission, level_, ocean_.levels.level(level_),
      ocean_.levels.level(TimeLevel(level_.value + 1)), {mission.target, policy, ocean_.effects});
  const FlyStep<ContinuousStep<>> fly{
      {context}, level_, ensemble_.view(), log_.view().from(0, 0, column_), 0};
  (void)fly(0);
  accumulator_.append(log_.view(), 1);
  ++level_.value;
  pass_via_points();
  return log_.action[0];
}

Trajectory OceanFlight::close() {
  const Mission& mission = ocean_.problem.mission;
  RolloutResult flown = accumulator_.close(ensemble_, RolloutMode::continuous, mission);
  flown.trajectories[0].passed = std::move(passed_);
  drain(flown.trajectories[0], mission, ocean_.info.time.step);
  return std::move(flown.trajectories[0]);
}

}  // namespace tidewise

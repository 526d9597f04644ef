#include "planner/learning/clairvoyant_flights.h"

#include <limits>

#include "planner/learning/shared_progress.h"
#include "solver/step/value_at_departure.h"

namespace tidewise {
namespace {

/// Sets a problem with one realization only, which starts at the mission's departure.
void pose_realization(const OceanToFly& ocean, std::int32_t realization, SolveTask& task) {
  const Mission& mission = ocean.problem.mission;
  task.from = {mission.start, mission.departure};
  task.realization_count = 1;
  // A single realization has the whole weight.
  task.realization_weight.assign(ocean.info.realization_weight.empty() ? 0 : 1, weight_total);
  const auto modes = static_cast<std::size_t>(ocean.info.mode_count);
  const auto realizations = static_cast<std::size_t>(ocean.info.realization_count);
  const TimeLevel first = ocean.levels.first();
  const auto count = static_cast<std::size_t>(mission.last.value - first.value) + 1;
  task.coefficient.resize(count * modes);
  for (std::size_t n = 0; n < count; ++n) {
    const LevelView level = ocean.levels.level(TimeLevel(first.value + static_cast<int>(n)));
    for (std::size_t m = 0; m < modes; ++m) {
      task.coefficient[n * modes + m] =
          level.coefficient[m * realizations + static_cast<std::size_t>(realization)];
    }
  }
}

}  // namespace

ClairvoyantFlights fly_clairvoyant(const OceanToFly& ocean,
                                   const std::vector<std::int32_t>& realizations,
                                   ManySolver& solver, Progress& progress) {
  const Mission& mission = ocean.problem.mission;
  const std::size_t flights = realizations.size();
  const auto cells = static_cast<std::size_t>(ocean.info.grid.cell_count());
  ClairvoyantFlights flown;
  flown.rollout.mode = RolloutMode::continuous;
  flown.rollout.departure = mission.departure;
  flown.rollout.trajectories.resize(flights);
  flown.predicted.resize(flights);
  SharedProgress shared(progress, "clairvoyants", static_cast<std::int64_t>(flights), "flights");
  solver.solve(
      flights,
      [&](std::size_t n, SolveTask& task) { pose_realization(ocean, realizations[n], task); },
      [&](std::size_t n, const std::vector<ReachablePolicy>& policies) {
        OceanFlight flight(ocean, realizations[n]);
        // The return of a flight that ends at its start.
        flown.predicted[n] = flight.vehicle().total_reward;
        if (flight.under_way()) {
          const CellIndex start = flight.cell();
          flown.predicted[n] = value_at_departure(mission, [&](TimeLevel k) -> double {
            return policies.front().value(k, start).value_or(
                std::numeric_limits<float>::quiet_NaN());
          });
        }
        std::vector<std::int16_t> action(cells);
        while (flight.under_way()) {
          policies[flight.leg()].read_action(flight.level(), action);
          (void)flight.step(action);
        }
        flown.rollout.trajectories[n] = flight.close();
        shared.advance(1);
      });
  shared.end();
  return flown;
}

}  // namespace tidewise

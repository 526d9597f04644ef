#include "solver/fly/ensemble.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "solver/error/codes.h"

namespace tidewise {

std::vector<std::int32_t> flight_numbers(const EnvironmentInfo& info,
                                         const RolloutOptions& options) {
  std::vector<std::int32_t> numbers = options.realizations;
  if (numbers.empty()) {
    numbers.resize(static_cast<std::size_t>(info.realization_count));
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  for (const std::int32_t number : numbers) {
    if (number >= 0 && number < info.realization_count) continue;
    throw input_error(errors::flown_realization_unknown, number, info.realization_count - 1);
  }
  if (options.mode == RolloutMode::chain) {
    if (options.flights > 0) numbers.resize(static_cast<std::size_t>(options.flights));
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return numbers;
}

Ensemble<> depart(const EnvironmentInfo& info, const Mission& mission, RolloutMode mode,
                  const std::vector<std::int32_t>& numbers, std::uint8_t masked) {
  const Grid& grid = info.grid;
  Vehicle vehicle;
  vehicle.x = mission.start_x;
  vehicle.y = mission.start_y;
  if (mode == RolloutMode::chain) {
    vehicle.x = grid.x(grid.column(mission.start));
    vehicle.y = grid.y(grid.row(mission.start));
  }
  const StepOutcome state = outcome_at_start(mission, masked);
  vehicle.total_reward = value_without_step(info, mission, state);
  Ensemble<> ensemble(numbers.size());
  std::copy(numbers.begin(), numbers.end(), ensemble.number.begin());
  std::fill(ensemble.vehicle.begin(), ensemble.vehicle.end(), vehicle);
  std::fill(ensemble.state.begin(), ensemble.state.end(), state);
  return ensemble;
}

std::vector<std::uint32_t> summed_weights(const EnvironmentInfo& info, const PositionRule& rule) {
  std::vector<std::uint32_t> sums = counting_weights(info, rule);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

}  // namespace tidewise

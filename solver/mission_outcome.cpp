#include "solver/mission_outcome.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace tidewise {

OutcomeRule outcome_without_fields(const EnvironmentInfo& info, const Mission& mission,
                                   TimeLevel k) {
  OutcomeRule rule;
  rule.landing.grid = info.grid;
  rule.landing.last_step = k.value + 1 == mission.last.value ? LastStep::yes : LastStep::no;
  rule.failure_penalty = mission.failure_penalty;
  rule.arrival_reward = mission.arrival_reward;
  rule.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
  return rule;
}

void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value) {
  for (std::size_t place = 0; place < value.size; ++place) {
    if (std::isfinite(value[place])) continue;
    const CellIndex cell(static_cast<std::int32_t>(place));
    throw InputError(fmt::format(
        "rewards at level {} (row {}, column {}) are too large for single precision; reduce "
        "mission.harvest.c_r, or give the scalar field in a larger unit",
        k.value, grid.row(cell), grid.column(cell)));
  }
}

}  // namespace tidewise

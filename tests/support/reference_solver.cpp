#include "support/reference_solver.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "env/level_fields.h"
#include "model_builder/displacement.h"
#include "solver/outcome.h"

namespace tidewise::test {
namespace {

/// n(s, a, Δ), keyed by (dy, dx): rows from south to north, each from west to east.
using Counts = std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>;

std::vector<Displacement> displacements(const LevelView& level, const DisplacementScale& scale,
                                        std::size_t cell) {
  const std::size_t cells = level.u_mean.size;
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  std::vector<Displacement> flow;
  for (std::size_t r = 0; r < realizations; ++r) {
    const float* coefficient = level.coefficient.data + r;
    const float u = velocity(level.u_mean[cell], level.u_mode.data + cell, cells, coefficient,
                             realizations, level.mode_count);
    const float v = velocity(level.v_mean[cell], level.v_mode.data + cell, cells, coefficient,
                             realizations, level.mode_count);
    flow.push_back({to_displacement(u, scale.x), to_displacement(v, scale.y)});
  }
  return flow;
}

Counts count(const std::vector<Displacement>& flow, Displacement action,
             const std::vector<std::uint32_t>& weights) {
  Counts counts;
  for (std::size_t r = 0; r < flow.size(); ++r) {
    const std::uint32_t weight = weights.empty() ? 1 : weights[r];
    const std::pair key(landing_offset(flow[r].y, action.y), landing_offset(flow[r].x, action.x));
    if (weight != 0) counts[key] += weight;
  }
  return counts;
}

float action_value(const Counts& counts, const OutcomeRule& rule, std::int32_t column,
                   std::int32_t row, float action_part, float share) {
  float sum = 0;
  for (auto entry = counts.begin(); entry != counts.end();) {
    const std::int32_t dy = entry->first.first;
    float row_sum = 0;
    for (; entry != counts.end() && entry->first.first == dy; ++entry) {
      const float worth = rule(column, row, {entry->first.second, dy}, action_part);
      row_sum = std::fma(static_cast<float>(entry->second), worth, row_sum);
    }
    sum += row_sum;
  }
  return sum * share;
}

}  // namespace

void solve_reference(const EnvironmentReader& environment, const std::vector<Action>& actions,
                     const Mission& mission, PolicySink& sink) {
  const EnvironmentInfo& info = environment.info();
  const Grid& grid = info.grid;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const DisplacementScale scale(grid, info.time);
  const auto share = static_cast<float>(1.0 / count_total(info));

  LevelFields<> now(info);
  LevelFields<> next(info);
  std::vector<float> value(cells);
  std::vector<float> value_next(cells);
  std::vector<std::int16_t> action(cells, no_action);

  environment.read_level(mission.last, next);
  for (std::size_t s = 0; s < cells; ++s) {
    const bool arrived = mission.target[s] != 0 && next.closed[s] == 0;
    value_next[s] = arrived ? 0.0F : mission.failure_penalty;
  }
  sink.accept(mission.last, {action.data(), cells}, {value_next.data(), cells});

  for (std::int32_t k = mission.last.value - 1; k >= 0; --k) {
    environment.read_level(TimeLevel(k), now);
    OutcomeRule rule;
    rule.grid = grid;
    rule.last_step = k + 1 == mission.last.value ? LastStep::yes : LastStep::no;
    rule.failure_penalty = mission.failure_penalty;
    rule.arrival_reward = mission.arrival_reward;
    rule.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
    rule.value_next = {value_next.data(), cells};
    rule.target = {mission.target.data(), cells};
    rule.closed_now = std::as_const(now.closed).view();
    rule.closed_next = std::as_const(next.closed).view();
    rule.scalar_now = std::as_const(now.scalar).view();
    rule.scalar_next = std::as_const(next.scalar).view();
    for (std::size_t s = 0; s < cells; ++s) {
      action[s] = no_action;
      value[s] = now.closed[s] != 0 ? mission.failure_penalty : 0.0F;
      if (now.closed[s] != 0 || mission.target[s] != 0) continue;
      const CellIndex cell(static_cast<std::int32_t>(s));
      const auto flow = displacements(now.view(info), scale, s);
      for (std::size_t a = 0; a < actions.size(); ++a) {
        const float action_part =
            action_reward(mission.objective, mission.energy, actions[a].speed, info.time.step);
        const Counts counts = count(flow, actions[a].displacement, info.realization_weight);
        const float worth =
            action_value(counts, rule, grid.column(cell), grid.row(cell), action_part, share);
        if (action[s] == no_action || worth > value[s]) {
          action[s] = static_cast<std::int16_t>(a);
          value[s] = worth;
        }
      }
    }
    sink.accept(TimeLevel(k), {action.data(), cells}, {value.data(), cells});
    std::swap(now, next);
    std::swap(value, value_next);
  }
}

}  // namespace tidewise::test

#include "support/ocean/reference_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"

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

/// The two levels that a step lies between, and the mission.
struct Step {
  const EnvironmentInfo& info;
  const Mission& mission;
  const LevelFields<>& now;
  const LevelFields<>& next;
  const std::vector<float>& value_next;
  bool last;  ///< k+1 = L
};

/// docs/model.md, 3.2: what being late in a cell is worth.
float late(const Grid& grid, const Mission& mission, std::int32_t column, std::int32_t row) {
  const double x = (column - mission.disc.column) * grid.dx;
  const double y = (row - mission.disc.row) * grid.dy;
  const double distance = std::max(std::sqrt(x * x + y * y) - mission.disc.radius, 0.0);
  const double base = mission.failure.late;
  return static_cast<float>(base - mission.failure.late_per_length * distance);
}

/// docs/model.md, 3.3: where on the straight way the disc begins, above 1 where it does not.
double disc_begins(const Grid& grid, const TargetDisc& disc, std::int32_t column, std::int32_t row,
                   std::int32_t dx, std::int32_t dy) {
  constexpr double never = 9;
  if (disc.radius == 0) return never;
  const double x = (column - disc.column) * grid.dx;
  const double y = (row - disc.row) * grid.dy;
  const double along_x = dx * grid.dx;
  const double along_y = dy * grid.dy;
  const double c = x * x + y * y - disc.radius * disc.radius;
  if (c <= 0) return 0;
  const double b = -(x * along_x + y * along_y);
  const double root = b * b - (along_x * along_x + along_y * along_y) * c;
  return b > 0 && root >= 0 ? c / (b + std::sqrt(root)) : never;
}

/// What landing is worth: the rules of docs/model.md, 3.1, written out once more and in its order,
/// so that a wrong rule in solver/step/outcome.h shows.
float worth(const Step& step, std::int32_t column, std::int32_t row, std::int32_t dx,
            std::int32_t dy, float action_part) {
  const Grid& grid = step.info.grid;
  const auto index = [&](std::int32_t i, std::int32_t j) {
    return static_cast<std::size_t>(j * grid.nx + i);
  };
  const auto inside = [&](std::int32_t i, std::int32_t j) {
    return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny;
  };
  // 1. An obstacle on the straight way, or at its end.
  for (std::int32_t j = std::min(0, dy); j <= std::max(0, dy); ++j) {
    for (std::int32_t i = std::min(0, dx); i <= std::max(0, dx); ++i) {
      const bool is_start = i == 0 && j == 0 && (dx != 0 || dy != 0);
      const bool on_way = 2 * std::abs(i * dy - j * dx) <= std::abs(dx) + std::abs(dy);
      if (is_start || !on_way || !inside(column + i, row + j)) continue;
      const std::size_t cell = index(column + i, row + j);
      if (step.now.masked[cell] == 1 || step.next.masked[cell] == 1) {
        return step.mission.failure.obstacle;
      }
    }
  }
  const bool ends_inside = inside(column + dx, row + dy);
  const std::size_t there = ends_inside ? index(column + dx, row + dy) : index(column, row);
  float reward = action_part;
  if (step.mission.objective == Objective::net_energy) {
    const auto half = static_cast<float>(step.mission.energy.c_r * step.info.time.step / 2);
    const float both = step.now.scalar[index(column, row)] + step.next.scalar[there];
    reward = std::fma(half, both, action_part);
  }
  const double met = disc_begins(grid, step.mission.disc, column, row, dx, dy);  // 2.
  if (met <= 1) return std::fma(static_cast<float>(met), reward, step.mission.arrival_reward);
  if (!ends_inside) return step.mission.failure.outside;                             // 3.
  if (step.mission.target[there] == 1) return reward + step.mission.arrival_reward;  // 4.
  if (step.last) return late(grid, step.mission, column + dx, row + dy);             // 5.
  return reward + step.value_next[there];                                            // 6.
}

float action_value(const Counts& counts, const Step& step, std::int32_t column, std::int32_t row,
                   float action_part, float share) {
  float sum = 0;
  for (auto entry = counts.begin(); entry != counts.end();) {
    const std::int32_t dy = entry->first.first;
    float row_sum = 0;
    for (; entry != counts.end() && entry->first.first == dy; ++entry) {
      const float value = worth(step, column, row, entry->first.second, dy, action_part);
      row_sum = std::fma(static_cast<float>(entry->second), value, row_sum);
    }
    sum += row_sum;
  }
  return sum * share;
}

}  // namespace

void solve_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                     PolicySink& sink) {
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

  environment.read_level(problem.mission.last, next);
  for (std::size_t s = 0; s < cells; ++s) {
    const CellIndex cell(static_cast<std::int32_t>(s));
    const bool arrived = problem.mission.target[s] != 0;
    value_next[s] = next.masked[s] != 0 ? problem.mission.failure.obstacle
                    : arrived           ? 0.0F
                              : late(grid, problem.mission, grid.column(cell), grid.row(cell));
  }
  sink.accept(problem.mission.last, {action.data(), cells}, {value_next.data(), cells});

  for (std::int32_t k = problem.mission.last.value - 1; k >= 0; --k) {
    environment.read_level(TimeLevel(k), now);
    const Step step{info, problem.mission, now,
                    next, value_next,      k + 1 == problem.mission.last.value};
    for (std::size_t s = 0; s < cells; ++s) {
      action[s] = no_action;
      value[s] = now.masked[s] != 0 ? problem.mission.failure.obstacle : 0.0F;
      if (now.masked[s] != 0 || problem.mission.target[s] != 0) continue;
      const CellIndex cell(static_cast<std::int32_t>(s));
      const auto flow = displacements(now.view(info), scale, s);
      for (std::size_t a = 0; a < problem.actions.size(); ++a) {
        const float action_part = action_reward(problem.mission.objective, problem.mission.energy,
                                                problem.actions[a].speed, info.time.step);
        const Counts counts = count(flow, problem.actions[a].displacement, info.realization_weight);
        const float found =
            action_value(counts, step, grid.column(cell), grid.row(cell), action_part, share);
        if (action[s] == no_action || found > value[s]) {
          action[s] = static_cast<std::int16_t>(a);
          value[s] = found;
        }
      }
    }
    sink.accept(TimeLevel(k), {action.data(), cells}, {value.data(), cells});
    std::swap(now, next);
    std::swap(value, value_next);
  }
}

}  // namespace tidewise::test

#include "support/ocean/reference_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "solver/policy/next_leg.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"
#include "support/ocean/plain_counting.h"

namespace tidewise::test {
namespace {

/// n(s, a, Δ), keyed by (dy, dx): rows from south to north, each from west to east.
using RowCounts = std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>;

/// Where the realizations' own part and the mean of one cell lead.
struct Cloud {
  std::vector<std::int32_t> x;  ///< D, (realization)
  std::vector<std::int32_t> y;
  Displacement mean;  ///< M
};

Cloud cloud_of(const LevelView& level, const TimeAxis& time, const PositionRule& rule,
               std::size_t cell) {
  const double x_step = time.step / level.grid.dx;
  const double y_step = time.step / level.grid.dy;
  const auto displacement = [](float mean, double step) {
    return static_cast<std::int32_t>(std::nearbyint(mean * static_cast<float>(step * 0x1p20)));
  };
  return {plain_bins(level, level.u_mode, cell, x_step, rule.bin_bits),
          plain_bins(level, level.v_mode, cell, y_step, rule.bin_bits),
          {displacement(level.u_mean[cell], x_step), displacement(level.v_mean[cell], y_step)}};
}

RowCounts count(const Cloud& flow, Displacement action, const PositionRule& rule,
                const std::vector<std::uint32_t>& weights) {
  const auto certain = [](std::int64_t displacement) {
    return static_cast<std::int32_t>(std::floor(static_cast<double>(displacement + 2048) / 4096));
  };
  const std::int32_t x = certain(std::int64_t{flow.mean.x} + action.x);
  const std::int32_t y = certain(std::int64_t{flow.mean.y} + action.y);
  const std::int32_t bin = 256 >> rule.bin_bits;
  RowCounts counts;
  for (std::size_t r = 0; r < flow.x.size(); ++r) {
    const std::uint32_t weight = weights.empty() ? 1 : weights[r];
    for (const auto& [dx, east] : plain_shares(flow.x[r] * bin + x, rule.landing)) {
      for (const auto& [dy, north] : plain_shares(flow.y[r] * bin + y, rule.landing)) {
        if (weight * east * north != 0) counts[{dy, dx}] += weight * east * north;
      }
    }
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
  double distance = std::numeric_limits<double>::infinity();
  for (std::int32_t n = 0; n < mission.disc.circle_count; ++n) {
    const TargetCircle& circle = mission.disc.circle[n];
    const double x = (column - circle.column) * grid.dx;
    const double y = (row - circle.row) * grid.dy;
    distance = std::min(distance, std::max(std::sqrt(x * x + y * y) - circle.radius, 0.0));
  }
  const double base = mission.failure.late;
  return static_cast<float>(base - mission.failure.late_per_length * distance);
}

/// docs/model.md, 3.3: where on the straight way the disc begins, above 1 where it does not.
double disc_begins(const Grid& grid, const TargetDisc& disc, std::int32_t column, std::int32_t row,
                   std::int32_t dx, std::int32_t dy) {
  constexpr double never = 9;
  if (disc.radius == 0) return never;
  const double x = (column - disc.circle[0].column) * grid.dx;
  const double y = (row - disc.circle[0].row) * grid.dy;
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
    return static_cast<std::size_t>(grid.cell(i, j).value);
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
  if (step.mission.objective == Objective::net_energy || step.mission.kept) {
    const auto half = static_cast<float>(step.mission.energy.c_r * step.info.time.step / 2);
    const float both = step.now.scalar[index(column, row)] + step.next.scalar[there];
    reward = std::fma(half, both, action_part);
  }
  const double met = disc_begins(grid, step.mission.disc, column, row, dx, dy);  // 2.
  if (met <= 1) return std::fma(static_cast<float>(met), reward, step.mission.arrival_reward);
  if (!ends_inside) return step.mission.failure.outside;                             // 3.
  if (step.mission.target[there] == 1) return reward + step.mission.arrival_reward;  // 4.
  if (step.last && !step.mission.kept) {                                             // 5.
    return late(grid, step.mission, column + dx, row + dy);
  }
  return reward + step.value_next[there];  // 6.
}

/// docs/model.md, 3.10: what a place near a closed cell or the border costs, 0 or less.
float nearness(const Step& step, std::int32_t column, std::int32_t row) {
  const Mission& mission = step.mission;
  if (!(mission.margin > 0)) return 0;
  const Grid& grid = step.info.grid;
  const auto price = [&](double gap, float failure) {
    const double loss = double(mission.arrival_reward) - failure;
    if (gap >= mission.margin || loss < 0) return 0.0;
    return 0.1 * -loss * (1 - gap / mission.margin);
  };
  double nearest = std::numeric_limits<double>::infinity();
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      const auto cell = static_cast<std::size_t>(grid.cell(i, j).value);
      if (step.now.masked[cell] == 0 && step.next.masked[cell] == 0) continue;
      const double x = std::max(0, std::abs(i - column) - 1) * grid.dx;
      const double y = std::max(0, std::abs(j - row) - 1) * grid.dy;
      nearest = std::min(nearest, std::sqrt(x * x + y * y));
    }
  }
  const double border = std::min(std::min(column, grid.nx - 1 - column) * grid.dx,
                                 std::min(row, grid.ny - 1 - row) * grid.dy);
  return static_cast<float>(
      std::min(price(nearest, mission.failure.obstacle), price(border, mission.failure.outside)));
}

float action_value(const RowCounts& counts, const Step& step, std::int32_t column, std::int32_t row,
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
  const PositionRule& rule = problem.rule;
  const auto share = static_cast<float>(1.0 / row_total(info, rule));
  const auto weights = counting_weights(info, rule);

  LevelFields<> now(info);
  LevelFields<> next(info);
  std::vector<float> value(cells);
  std::vector<float> value_next(cells);
  std::vector<std::int16_t> action(cells, no_action);
  // docs/model.md, 3.9: what each action is worth that is held, (action)(y, x).
  const std::vector<float> nothing(cells, 0.0F);
  std::vector<std::vector<float>> held(problem.actions.size(), nothing);
  std::vector<std::vector<float>> held_next = held;
  const auto decides = [&](std::int32_t k) {
    const Decisions& decisions = problem.mission.decisions;
    return std::abs(k - decisions.phase.value) % decisions.every == 0;
  };

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
    const bool last = k + 1 == problem.mission.last.value;
    for (std::size_t s = 0; s < cells; ++s) {
      action[s] = no_action;
      value[s] = now.masked[s] != 0 ? problem.mission.failure.obstacle : 0.0F;
      if (now.masked[s] != 0 || problem.mission.target[s] != 0) continue;
      const CellIndex cell(static_cast<std::int32_t>(s));
      for (std::size_t a = 0; a < problem.actions.size(); ++a) {
        const LevelView dived = now.view(info).profile(problem.actions[a].profile);
        const Cloud flow = cloud_of(dived, info.time, rule, s);
        const float action_part = action_reward(
            problem.mission.objective, problem.mission.energy_on(problem.actions[a].profile),
            problem.actions[a].speed, info.time.step);
        const Step step{
            info, problem.mission, now, next, decides(k + 1) ? value_next : held_next[a], last};
        const RowCounts counts = count(flow, problem.actions[a].displacement, rule, weights);
        const float found =
            action_value(counts, step, grid.column(cell), grid.row(cell), action_part, share);
        held[a][s] = found;
        if (action[s] == no_action || found > value[s]) {
          action[s] = static_cast<std::int16_t>(a);
          value[s] = found;
        }
      }
      const Step step{info, problem.mission, now, next, value_next, last};
      const float near = nearness(step, grid.column(cell), grid.row(cell));
      value[s] += near;
      for (std::vector<float>& of_action : held) of_action[s] += near;
    }
    if (const NextLeg* leg = problem.mission.next.get()) {  // docs/model.md, 3.7
      for (std::size_t n = 0; n < leg->cells().size(); ++n) {
        const auto cell = static_cast<std::size_t>(leg->cells()[n]);
        const std::size_t at = static_cast<std::size_t>(k) * leg->cells().size() + n;
        action[cell] = leg->action()[at];
        value[cell] = leg->value()[at];
      }
    }
    sink.accept(TimeLevel(k), {action.data(), cells}, {value.data(), cells});
    std::swap(now, next);
    std::swap(value, value_next);
    std::swap(held, held_next);
  }
}

}  // namespace tidewise::test

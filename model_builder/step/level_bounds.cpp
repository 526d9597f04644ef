#include "model_builder/step/level_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "model_builder/error/codes.h"
#include "model_builder/step/cell_reach.h"

namespace tidewise {

std::vector<Interval> coefficient_ranges(const LevelView& level) {
  std::vector<Interval> ranges;
  const auto count = static_cast<std::size_t>(level.realization_count);
  for (std::int32_t m = 0; m < level.mode_count; ++m) {
    const auto row = level.coefficient.part(static_cast<std::size_t>(m) * count, count);
    if (!std::all_of(row.begin(), row.end(), [](float c) { return std::isfinite(c); })) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      ranges.push_back({nan, nan});  // comparisons would ignore NaN
      continue;
    }
    const auto [smallest, largest] = std::minmax_element(row.begin(), row.end());
    ranges.push_back({*smallest, *largest});
  }
  return ranges;
}

DisplacementRange bound_displacements(const LevelView& level, const DisplacementScale& scale,
                                      const PositionRule& rule, View<const CellIndex> cells,
                                      const std::vector<Action>& actions, std::int32_t threads) {
  const auto coefficients = coefficient_ranges(level);
  std::int32_t x_min = -1;
  std::int32_t x_max = 1;
  std::int32_t y_min = -1;
  std::int32_t y_max = 1;
  double farthest = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min             \
                                                                         : x_min, y_min) \
    reduction(max                                                                        \
              : x_max, y_max, farthest)
  for (std::size_t n = 0; n < cells.size; ++n) {
    const auto cell = static_cast<std::size_t>(cells[n].value);
    const CellReach reach = cell_reach(level, scale, rule, coefficients.data(), cell);
    farthest = std::max(farthest, reach.farthest);
    x_min = std::min(x_min, reach.range.x_min);
    x_max = std::max(x_max, reach.range.x_max);
    y_min = std::min(y_min, reach.range.y_min);
    y_max = std::max(y_max, reach.range.y_max);
  }
  require_reach(farthest, action_reach(actions));
  return {x_min, x_max, y_min, y_max};
}

std::int32_t action_reach(const std::vector<Action>& actions) {
  std::int32_t reach = 0;
  for (const auto& action : actions) {
    for (std::int32_t draw = 0; draw < error_draws; ++draw) {
      const Displacement a = with_error(action.displacement, action.error, draw);
      reach = std::max({reach, std::abs(a.x), std::abs(a.y)});
    }
  }
  return reach;
}

void require_reach(double farthest, std::int32_t action_reach) {
  if (within_reach(farthest, action_reach)) return;
  if (!std::isfinite(farthest)) {
    throw input_error(errors::flow_not_finite);
  }
  throw input_error(errors::flow_too_fast_for_cells, (farthest + action_reach) / one_cell,
                    greatest_displacement);
}

SubGrid subgrid_of(const DisplacementRange& range, const std::vector<Action>& actions,
                   const PositionRule& rule) {
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max();
  SubGrid subgrid{large, -large, large, -large};
  for (const auto& action : displaced_actions(actions, rule.draws)) {
    const Displacement a = action.displacement;
    subgrid.dx_min = std::min(subgrid.dx_min, rule.first_cell_of(range.x_min + a.x));
    subgrid.dx_max = std::max(subgrid.dx_max, rule.last_cell_of(range.x_max + a.x));
    subgrid.dy_min = std::min(subgrid.dy_min, rule.first_cell_of(range.y_min + a.y));
    subgrid.dy_max = std::max(subgrid.dy_max, rule.last_cell_of(range.y_max + a.y));
  }
  return subgrid;
}

SubGrid subgrid_of(const LevelView& level, const TimeAxis& time, const PositionRule& rule,
                   View<const CellIndex> cells, const std::vector<Action>& actions,
                   std::int32_t threads) {
  SubGrid subgrid;
  for (const ProfileActions& profile : by_profile(actions)) {
    const DisplacementRange range =
        bound_displacements(level.profile(profile.profile), DisplacementScale(level.grid, time),
                            rule, cells, profile.actions, threads);
    subgrid = join(subgrid, subgrid_of(range, profile.actions, rule));
  }
  return subgrid;
}

std::vector<Offset> offsets_of(const SubGrid& subgrid) {
  std::vector<Offset> offsets;
  offsets.reserve(static_cast<std::size_t>(subgrid.size()));
  for (std::int32_t n = 0; n < subgrid.size(); ++n) offsets.push_back(subgrid.offset(n));
  return offsets;
}

SubGrid join(const SubGrid& a, const SubGrid& b) {
  return {std::min(a.dx_min, b.dx_min), std::max(a.dx_max, b.dx_max), std::min(a.dy_min, b.dy_min),
          std::max(a.dy_max, b.dy_max)};
}

}  // namespace tidewise

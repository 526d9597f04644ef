#include "env/import/level_step.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "env/import/grid/target_grid.h"
#include "env/import/source/ensemble_levels.h"

namespace tidewise::ingest {
namespace {

constexpr double share_above = 0.05;  // share of the water with greater accelerations
constexpr double max_cells_per_step = 3;
constexpr double shortest_for_vehicle = 600;  // [s]
constexpr double hour = 3600;                 // [s]

/// Du/Dt = ∂u/∂t + (u·∇)u in the water of one member, from differences between neighbours in water
/// and between two levels.
class Accelerations {
 public:
  Accelerations(const Grid& grid, const LevelEnsemble& level, const LevelEnsemble& next,
                double time)
      : grid_(grid), level_(level), next_(next), time_(time) {
    water_index_ = water_indices(level);
    next_water_index_ = water_indices(next);
  }

  void add_to(std::vector<double>& all) const {
    for (std::size_t member = 0; member < level_.member_count; ++member) {
      for (const std::size_t cell : level_.water) {
        if (next_water_index_[cell] == no_index) continue;
        all.push_back(std::hypot(acceleration(member, 0, cell), acceleration(member, 1, cell)));
      }
    }
  }

 private:
  static constexpr auto no_index = static_cast<std::size_t>(-1);

  std::vector<std::size_t> water_indices(const LevelEnsemble& level) const {
    std::vector<std::size_t> index(static_cast<std::size_t>(grid_.cell_count()), no_index);
    for (std::size_t n = 0; n < level.water.size(); ++n) index[level.water[n]] = n;
    return index;
  }

  static double sample(const LevelEnsemble& level, std::size_t member, std::size_t component,
                       std::size_t index) {
    return level.samples[(member * 2 + component) * level.water.size() + index];
  }

  /// The change per metre between the neighbours of a cell along one axis; 0 if neither is water.
  double slope(std::size_t member, std::size_t component, std::size_t cell, std::size_t offset,
               bool has_before, bool has_after, double length) const {
    std::size_t from = cell;
    std::size_t to = cell;
    if (has_before && water_index_[cell - offset] != no_index) from = cell - offset;
    if (has_after && water_index_[cell + offset] != no_index) to = cell + offset;
    if (from == to) return 0;
    const double steps = static_cast<double>(to - from) / static_cast<double>(offset);
    return (sample(level_, member, component, water_index_[to]) -
            sample(level_, member, component, water_index_[from])) /
           (steps * length);
  }

  /// Du/Dt of one component in a cell.
  double acceleration(std::size_t member, std::size_t component, std::size_t cell) const {
    const auto columns = static_cast<std::size_t>(grid_.nx);
    const auto rows = static_cast<std::size_t>(grid_.ny);
    const std::size_t column = cell % columns;
    const std::size_t row = cell / columns;
    const double u = sample(level_, member, 0, water_index_[cell]);
    const double v = sample(level_, member, 1, water_index_[cell]);
    const double change = (sample(next_, member, component, next_water_index_[cell]) -
                           sample(level_, member, component, water_index_[cell])) /
                          time_;
    return change +
           u * slope(member, component, cell, 1, column > 0, column + 1 < columns, grid_.dx) +
           v * slope(member, component, cell, columns, row > 0, row + 1 < rows, grid_.dy);
  }

  const Grid& grid_;
  const LevelEnsemble& level_;
  const LevelEnsemble& next_;
  double time_;                                // [s]
  std::vector<std::size_t> water_index_;       // (cell): index among the level's water
  std::vector<std::size_t> next_water_index_;  // (cell): index among the next level's water
};

}  // namespace

void add_accelerations(const Grid& grid, const LevelEnsemble& level, const LevelEnsemble& next,
                       double time, std::vector<double>& all) {
  Accelerations(grid, level, next, time).add_to(all);
}

FlowChange flow_change_of(std::vector<double> accelerations, double spacing) {
  if (accelerations.empty()) return {0, spacing};
  const auto rank = static_cast<std::ptrdiff_t>((1 - share_above) *
                                                static_cast<double>(accelerations.size() - 1));
  std::nth_element(accelerations.begin(), accelerations.begin() + rank, accelerations.end());
  return {accelerations[rank], spacing};
}

FlowChange measure_flow_change(ForecastSource& source, const LocalPlane& plane, double first,
                               double last) {
  std::vector<double> times;
  for (const double time : source.times()) {
    if (time >= first && time <= last) times.push_back(time);
  }
  const double spacing = own_spacing(source.grid());
  if (times.size() < 2) return {0, spacing};
  const TargetGrid target = make_target_grid(source.grid(), plane, spacing);
  EnsembleLevels levels(source, target, plane, {0});
  std::vector<double> accelerations;
  for (const std::size_t n : std::set<std::size_t>{0, (times.size() - 2) / 2, times.size() - 2}) {
    const LevelEnsemble level = std::move(levels.at(times[n]).front());
    const LevelEnsemble next = std::move(levels.at(times[n + 1]).front());
    add_accelerations(target.grid, level, next, times[n + 1] - times[n], accelerations);
  }
  return flow_change_of(std::move(accelerations), spacing);
}

StepLimits limits_for(double speed, double cells) {
  StepLimits limits;
  limits.shortest = shortest_for_vehicle;
  limits.longest = std::clamp(max_cells_per_step * cells / speed, limits.shortest, limits.longest);
  limits.may_join = true;
  return limits;
}

double choose_step(const FlowChange& change, double source_step, const StepLimits& limits) {
  const auto is_allowed = [&](double step) {
    return step <= limits.longest && change.allows(step);
  };
  if (limits.may_join) {
    for (double joined = std::floor(limits.longest / source_step); joined > 1; --joined) {
      if (is_allowed(joined * source_step)) return joined * source_step;
    }
  }
  const auto is_whole = [](double number) { return number == std::floor(number); };
  const bool has_hours = is_whole(source_step / hour);
  double step = source_step;
  for (int parts = 1; source_step / parts >= limits.shortest; ++parts) {
    const double part = source_step / parts;
    if (has_hours && part > hour && !is_whole(part / hour)) continue;
    step = part;
    if (is_allowed(step)) break;
  }
  return step;
}

}  // namespace tidewise::ingest

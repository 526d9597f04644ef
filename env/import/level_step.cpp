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

constexpr double share_above = 0.05;  // share of the water
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
    place_ = places(level);
    next_place_ = places(next);
  }

  void add_to(std::vector<double>& all) const {
    for (std::size_t member = 0; member < level_.member_count; ++member) {
      for (const std::size_t cell : level_.water) {
        if (next_place_[cell] == nowhere) continue;
        all.push_back(std::hypot(along(member, 0, cell), along(member, 1, cell)));
      }
    }
  }

 private:
  static constexpr auto nowhere = static_cast<std::size_t>(-1);

  std::vector<std::size_t> places(const LevelEnsemble& level) const {
    std::vector<std::size_t> place(static_cast<std::size_t>(grid_.cell_count()), nowhere);
    for (std::size_t n = 0; n < level.water.size(); ++n) place[level.water[n]] = n;
    return place;
  }

  static double sample(const LevelEnsemble& level, std::size_t member, std::size_t component,
                       std::size_t place) {
    return level.samples[(member * 2 + component) * level.water.size() + place];
  }

  /// The change per metre between the neighbours of a cell along one axis; 0 if neither is water.
  double slope(std::size_t member, std::size_t component, std::size_t cell, std::size_t apart,
               bool has_before, bool has_behind, double length) const {
    std::size_t from = cell;
    std::size_t to = cell;
    if (has_before && place_[cell - apart] != nowhere) from = cell - apart;
    if (has_behind && place_[cell + apart] != nowhere) to = cell + apart;
    if (from == to) return 0;
    const double steps = static_cast<double>(to - from) / static_cast<double>(apart);
    return (sample(level_, member, component, place_[to]) -
            sample(level_, member, component, place_[from])) /
           (steps * length);
  }

  double along(std::size_t member, std::size_t component, std::size_t cell) const {
    const auto columns = static_cast<std::size_t>(grid_.nx);
    const auto rows = static_cast<std::size_t>(grid_.ny);
    const std::size_t column = cell % columns;
    const std::size_t row = cell / columns;
    const double u = sample(level_, member, 0, place_[cell]);
    const double v = sample(level_, member, 1, place_[cell]);
    const double change = (sample(next_, member, component, next_place_[cell]) -
                           sample(level_, member, component, place_[cell])) /
                          time_;
    return change +
           u * slope(member, component, cell, 1, column > 0, column + 1 < columns, grid_.dx) +
           v * slope(member, component, cell, columns, row > 0, row + 1 < rows, grid_.dy);
  }

  const Grid& grid_;
  const LevelEnsemble& level_;
  const LevelEnsemble& next_;
  double time_;                          // [s]
  std::vector<std::size_t> place_;       // (cell): index among the level's water
  std::vector<std::size_t> next_place_;  // (cell): index among the next level's water
};

}  // namespace

void add_accelerations(const Grid& grid, const LevelEnsemble& level, const LevelEnsemble& next,
                       double time, std::vector<double>& all) {
  Accelerations(grid, level, next, time).add_to(all);
}

FlowChange change_among(std::vector<double> accelerations, double spacing) {
  if (accelerations.empty()) return {0, spacing};
  const auto place = static_cast<std::ptrdiff_t>((1 - share_above) *
                                                 static_cast<double>(accelerations.size() - 1));
  std::nth_element(accelerations.begin(), accelerations.begin() + place, accelerations.end());
  return {accelerations[place], spacing};
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
  return change_among(std::move(accelerations), spacing);
}

StepLimits limits_for(double speed, double cells) {
  StepLimits limits;
  limits.shortest = shortest_for_vehicle;
  limits.longest = std::clamp(max_cells_per_step * cells / speed, limits.shortest, limits.longest);
  limits.may_join = true;
  return limits;
}

double choose_step(const FlowChange& change, double source_step, const StepLimits& limits) {
  const auto is_good = [&](double step) { return step <= limits.longest && change.allows(step); };
  if (limits.may_join) {
    for (double joined = std::floor(limits.longest / source_step); joined > 1; --joined) {
      if (is_good(joined * source_step)) return joined * source_step;
    }
  }
  const auto is_whole = [](double number) { return number == std::floor(number); };
  const bool has_hours = is_whole(source_step / hour);
  double step = source_step;
  for (int parts = 1; source_step / parts >= limits.shortest; ++parts) {
    const double part = source_step / parts;
    if (has_hours && part > hour && !is_whole(part / hour)) continue;
    step = part;
    if (is_good(step)) break;
  }
  return step;
}

}  // namespace tidewise::ingest

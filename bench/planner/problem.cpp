#include "bench/planner/problem.h"

#include <algorithm>

#include "env/copy_fields.h"

namespace tidewise {
namespace {

constexpr std::size_t min_levels = 4;

std::size_t level_bytes(const EnvironmentInfo& info) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto modes = static_cast<std::size_t>(info.mode_count);
  const auto realizations = static_cast<std::size_t>(info.realization_count);
  return cells * ((3 + 2 * modes) * sizeof(float) + 2) + modes * realizations * sizeof(float);
}

// Evenly spaced over 0 … L, both included.
std::vector<TimeLevel> evenly_spaced(std::size_t count, std::int32_t level_count) {
  const auto levels = static_cast<std::size_t>(level_count);
  count = std::min(std::max(count, min_levels), levels);
  std::vector<TimeLevel> evenly_spaced;
  for (std::size_t n = 0; n < count; ++n) {
    evenly_spaced.emplace_back(static_cast<std::int32_t>(n * (levels - 1) / (count - 1)));
  }
  return evenly_spaced;
}

}  // namespace

DoubleGyreOptions gyre_of(const BenchmarkSize& size) {
  DoubleGyreOptions gyre;
  gyre.nx = size.cells;
  gyre.ny = size.cells;
  gyre.level_count = size.steps + 1;
  gyre.mode_count = size.modes;
  gyre.realization_count = size.realizations;
  return gyre;
}

PlannerCase::PlannerCase(const BenchmarkSize& size, std::size_t memory)
    : source_(gyre_of(size)),
      rule_(position_rule(size.landing, source_.info())),
      levels_(
          evenly_spaced(memory / level_bytes(source_.info()), source_.info().time.level_count)) {}

std::vector<Action> PlannerCase::actions(std::int32_t headings) const {
  return make_actions({0.5, 1}, headings, info().grid, info().time);
}

Mission PlannerCase::mission(Objective objective, std::int32_t steps, double target_radius) const {
  const Grid& grid = info().grid;
  Mission mission;
  mission.objective = objective;
  mission.last = TimeLevel(steps);
  mission.target = target_cells(grid, grid.x(grid.nx / 2), grid.y(4 * grid.ny / 5), target_radius);
  return mission;
}

void PlannerCase::fill(TimeLevel k, LevelFields<>& fields) const { fill_place(place(k), fields); }

void PlannerCase::fill_place(std::size_t place, LevelFields<>& fields) const {
  source_.fill(levels_[place], fields);
}

std::size_t PlannerCase::place(TimeLevel k) const {
  return static_cast<std::size_t>(k.value) % levels_.size();
}

PlannerProblem::PlannerProblem(const BenchmarkSize& size, std::size_t memory)
    : PlannerCase(size, memory) {
  LevelFields<> fields(info());
  for (std::size_t place = 0; place < place_count(); ++place) {
    fill_place(place, fields);
    copy_fields(fields_.emplace_back(), fields);
  }
}

LevelView PlannerProblem::on_device(TimeLevel k) const { return fields_[place(k)].view(info()); }

}  // namespace tidewise

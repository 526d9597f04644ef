#include "solver/reachable/reach.h"

#include <algorithm>
#include <limits>

#include "base/parallel/first_error.h"
#include "model_builder/step/cell_reach.h"
#include "solver/step/boundary.h"

namespace tidewise {
namespace {

// Rule for windows that contain every cell to which either rule may assign a landing. A vehicle
// anywhere in a cell can only reach the two cells, along each axis, that a step from the centre
// touches with bilinear weights: ⌊d⌋ ≤ ⌊d + e + 1/2⌋ ≤ ⌊d⌋ + 1 for −1/2 ≤ e < 1/2. With nearest
// cells the model reaches one of them.
constexpr PositionRule touched_by_area{LandingBy::area, 0};

constexpr DisplacementRange everywhere{
    -greatest_displacement * one_cell + 1, greatest_displacement* one_cell - 1,
    -greatest_displacement* one_cell + 1, greatest_displacement* one_cell - 1};

// Columns of each row that the actions of one cell can reach.
class StepWindow {
 public:
  struct Span {
    std::int32_t west = std::numeric_limits<std::int32_t>::max();
    std::int32_t east = std::numeric_limits<std::int32_t>::min();
  };

  // `box`: contains the windows of all actions.
  void fill(const DisplacementRange& range, const std::vector<Action>& actions,
            const SubGrid& box) {
    south_ = box.dy_min;
    spans_.assign(static_cast<std::size_t>(box.height()), {});
    for (const Action& action : actions) {
      const Displacement a = action.displacement;
      const std::int32_t west = touched_by_area.first_cell_of(range.x_min + a.x);
      const std::int32_t east = touched_by_area.last_cell_of(range.x_max + a.x);
      const std::int32_t south = touched_by_area.first_cell_of(range.y_min + a.y);
      const std::int32_t north = touched_by_area.last_cell_of(range.y_max + a.y);
      for (std::int32_t row = south; row <= north; ++row) {
        Span& span = spans_[static_cast<std::size_t>(row - south_)];
        span.west = std::min(span.west, west);
        span.east = std::max(span.east, east);
      }
    }
  }

  std::int32_t south() const { return south_; }
  // (row from the south); a row that no action reaches ends before it begins.
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::int32_t south_ = 0;
  std::vector<Span> spans_;
};

DisplacementRange hull(const DisplacementRange& a, const DisplacementRange& b) {
  return {std::min(a.x_min, b.x_min), std::max(a.x_max, b.x_max), std::min(a.y_min, b.y_min),
          std::max(a.y_max, b.y_max)};
}

// The box that all actions can reach with displacements within a range.
SubGrid window_box(const DisplacementRange& range, const DisplacementRange& actions) {
  return {touched_by_area.first_cell_of(range.x_min + actions.x_min),
          touched_by_area.last_cell_of(range.x_max + actions.x_max),
          touched_by_area.first_cell_of(range.y_min + actions.y_min),
          touched_by_area.last_cell_of(range.y_max + actions.y_max)};
}

DisplacementRange displacement_range(const std::vector<Action>& actions) {
  DisplacementRange range{actions.front().displacement.x, actions.front().displacement.x,
                          actions.front().displacement.y, actions.front().displacement.y};
  for (const Action& action : actions) {
    range.x_min = std::min(range.x_min, action.displacement.x);
    range.x_max = std::max(range.x_max, action.displacement.x);
    range.y_min = std::min(range.y_min, action.displacement.y);
    range.y_max = std::max(range.y_max, action.displacement.y);
  }
  return range;
}

}  // namespace

View<const CellIndex> ReachableCells::of(TimeLevel k) const {
  if (k < first_ || k > last()) return {};
  const std::size_t from = begin(k);
  return {cells_.data() + from,
          begin_[static_cast<std::size_t>(k.value - first_.value) + 1] - from};
}

ReachFinder::ReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem,
                         std::int32_t threads, Currents currents)
    : info_(info),
      problem_(problem),
      threads_(threads),
      currents_(currents),
      is_bounded_(static_cast<std::size_t>(info.grid.cell_count())),
      range_(static_cast<std::size_t>(info.grid.cell_count())),
      marked_(info.grid),
      displaced_(displaced_actions(problem.actions, problem.rule.draws)),
      actions_range_(displacement_range(displaced_)),
      edges_(static_cast<std::size_t>(info.grid.nx + 1) * static_cast<std::size_t>(info.grid.ny)) {}

void ReachFinder::find(LevelSource& levels, TimeLevel first, TimeLevel end, const Entries& entries,
                       View<const std::uint8_t> ends, ReachableCells& reach, Progress& progress) {
  reach.first_ = first;
  reach.begin_.assign(1, 0);
  reach.cells_.clear();
  std::fill(edges_.begin(), edges_.end(), 0);
  south_ = info_.grid.ny;
  north_ = -1;
  std::vector<CellIndex> entered;
  progress.begin("finding where the vehicle can be", end.value - first.value, "levels");
  for (TimeLevel k = first; k <= end; ++k.value) {
    entered.clear();
    entries(k, entered);
    for (const CellIndex cell : entered) {
      const std::int32_t column = info_.grid.column(cell);
      const std::int32_t row = info_.grid.row(cell);
      enter(row, column, column);
      south_ = std::min(south_, row);
      north_ = std::max(north_, row);
    }
    if (north_ >= south_) {
      const LevelView level = levels.level(k);
      collect(level, reach.cells_);
      if (k < end) {
        const std::size_t from = reach.begin_.back();
        const View<const CellIndex> cells{reach.cells_.data() + from, reach.cells_.size() - from};
        step(level, cells, ends);
        if (k == problem_.mission.departure && problem_.mission.begun > 0) enter_part_way(cells);
      }
    }
    reach.begin_.push_back(reach.cells_.size());
    progress.advance_to(k.value - first.value);
  }
  progress.end();
}

// Bounds the flow in the cells and their neighbours, which acts on a vehicle that is not in the
// centre.
void ReachFinder::bound_flow(const LevelView& level, View<const CellIndex> cells) {
  const Grid& grid = info_.grid;
  std::fill(is_bounded_.begin(), is_bounded_.end(), std::uint8_t{0});
  for (std::size_t n = 0; n < cells.size;) {
    // A run of consecutive cells of a row.
    const std::int32_t row = grid.row(cells[n]);
    const std::int32_t west = std::max(grid.column(cells[n]) - 1, 0);
    std::size_t end = n + 1;
    while (end < cells.size && cells[end].value == cells[end - 1].value + 1 &&
           grid.row(cells[end]) == row) {
      ++end;
    }
    const std::int32_t east = std::min(grid.column(cells[end - 1]) + 1, grid.nx - 1);
    for (std::int32_t j = std::max(row - 1, 0); j <= std::min(row + 1, grid.ny - 1); ++j) {
      std::fill_n(is_bounded_.begin() + grid.cell(west, j).value, east - west + 1, std::uint8_t{1});
    }
    n = end;
  }
  bounded_.clear();
  for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
    if (is_bounded_[static_cast<std::size_t>(cell)] != 0) bounded_.emplace_back(cell);
  }
  const std::vector<Interval> coefficients = coefficient_ranges(level);
  if (currents_ == Currents::as_strong) bound_strongest(level, coefficients);
  const std::int32_t action = action_reach(problem_.actions);
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::size_t n = 0; n < bounded_.size(); ++n) {
    const auto at = static_cast<std::size_t>(bounded_[n].value);
    const CellReach reach = reach_of(level, coefficients, bounded_[n]);
    // Counting refuses flows out of reach only in cells that a vehicle may occupy, but a
    // neighbouring closed cell may have such a flow.
    range_[at] = within_reach(reach.farthest, action) ? reach.range : everywhere;
  }
}

// Reach over the velocities of all profiles.
CellReach ReachFinder::reach_of(const LevelView& level, const std::vector<Interval>& coefficients,
                                CellIndex cell) const {
  const DisplacementScale scale(info_.grid, info_.time);
  const auto at = static_cast<std::size_t>(cell.value);
  CellReach total = cell_reach(level, scale, problem_.rule, coefficients.data(), at);
  for (std::int32_t p = 1; p < info_.velocities; ++p) {
    const CellReach profile_reach =
        cell_reach(level.profile(p), scale, problem_.rule, coefficients.data(), at);
    total = {hull(total.range, profile_reach.range),
             std::max(total.farthest, profile_reach.farthest)};
  }
  return total;
}

void ReachFinder::bound_strongest(const LevelView& level,
                                  const std::vector<Interval>& coefficients) {
  const std::int32_t action = action_reach(problem_.actions);
  std::int32_t x = 0;
  std::int32_t y = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(max : x, y)
  for (std::int32_t cell = 0; cell < info_.grid.cell_count(); ++cell) {
    if (level.masked[static_cast<std::size_t>(cell)] != 0) continue;
    const CellReach reach = reach_of(level, coefficients, CellIndex(cell));
    if (!within_reach(reach.farthest, action)) continue;  // counting refuses it
    x = std::max({x, -reach.range.x_min, reach.range.x_max});
    y = std::max({y, -reach.range.y_min, reach.range.y_max});
  }
  strongest_ = {-x, x, -y, y};
}

// Bounds of the flow at every point of a cell, which is interpolated between centres.
DisplacementRange ReachFinder::range_around(CellIndex cell) const {
  const Grid& grid = info_.grid;
  const std::int32_t column = grid.column(cell);
  const std::int32_t row = grid.row(cell);
  DisplacementRange range = range_[static_cast<std::size_t>(cell.value)];
  if (currents_ == Currents::as_strong) range = hull(range, strongest_);
  for (std::int32_t j = std::max(row - 1, 0); j <= std::min(row + 1, grid.ny - 1); ++j) {
    for (std::int32_t i = std::max(column - 1, 0); i <= std::min(column + 1, grid.nx - 1); ++i) {
      range = hull(range, range_[static_cast<std::size_t>(grid.cell(i, j).value)]);
    }
  }
  return range;
}

void ReachFinder::step(const LevelView& level, View<const CellIndex> cells,
                       View<const std::uint8_t> ends) {
  south_ = info_.grid.ny;
  north_ = -1;
  if (cells.empty()) return;
  bound_flow(level, cells);
  // Windows of neighbouring cells overlap: first the windows of a few cells, then those that these
  // have not fully marked.
  for (const std::int32_t spacing : {4, 2, 1}) {
    if (spacing < 4) {
      marked_.mark([this, spans = 0](std::int32_t column, std::int32_t row) mutable {
        if (column == 0) spans = 0;
        spans += edges_of(row)[column];
        return spans > 0;
      });
    }
    enter_windows(cells, ends, spacing);
  }
}

// Enters windows of cells in every `spacing`-th row and column, except those of twice the spacing,
// which have been entered before.
void ReachFinder::enter_windows(View<const CellIndex> cells, View<const std::uint8_t> ends,
                                std::int32_t spacing) {
  const Grid& grid = info_.grid;
  const auto is_multiple_of = [&](CellIndex cell, std::int32_t every) {
    return grid.column(cell) % every == 0 && grid.row(cell) % every == 0;
  };
  const bool is_first = spacing == 4;
  std::int32_t south_most = south_;
  std::int32_t north_most = north_;
  FirstError error;
#pragma omp parallel num_threads(threads_) reduction(min : south_most) reduction(max : north_most)
  {
    StepWindow window;
#pragma omp for schedule(static)
    for (std::size_t n = 0; n < cells.size; ++n) {
      error.run([&] {
        const CellIndex cell = cells[n];
        if (!is_multiple_of(cell, spacing) || (!is_first && is_multiple_of(cell, 2 * spacing)))
          return;
        if (!ends.empty() && ends[static_cast<std::size_t>(cell.value)] != 0) return;
        const DisplacementRange range = range_around(cell);
        const SubGrid box = window_box(range, actions_range_);
        const std::int32_t column = grid.column(cell);
        std::int32_t row = grid.row(cell);
        if (!is_first && marked_.all(column + box.dx_min, column + box.dx_max, row + box.dy_min,
                                     row + box.dy_max)) {
          return;
        }
        window.fill(range, displaced_, box);
        row += window.south();
        for (const StepWindow::Span& span : window.spans()) {
          if (row >= 0 && row < grid.ny && span.west <= span.east && column + span.east >= 0 &&
              column + span.west < grid.nx) {
            enter(row, column + span.west, column + span.east);
            south_most = std::min(south_most, row);
            north_most = std::max(north_most, row);
          }
          ++row;
        }
      });
    }
  }
  error.rethrow();
  south_ = south_most;
  north_ = north_most;
}

// Enters what a part of a step from the cells may reach: everything between them and the reach of a
// whole step.
void ReachFinder::enter_part_way(View<const CellIndex> cells) {
  const Grid& grid = info_.grid;
  for (const CellIndex cell : cells) {
    const SubGrid box = window_box(range_around(cell), actions_range_);
    const std::int32_t column = grid.column(cell);
    const std::int32_t south = std::max(grid.row(cell) + std::min(box.dy_min, 0), 0);
    const std::int32_t north = std::min(grid.row(cell) + std::max(box.dy_max, 0), grid.ny - 1);
    for (std::int32_t row = south; row <= north; ++row) {
      enter(row, column + std::min(box.dx_min, 0), column + std::max(box.dx_max, 0));
    }
    south_ = std::min(south_, south);
    north_ = std::max(north_, north);
  }
}

// Marks columns west … east of a row as reached, within the grid. Several threads may call it at
// once.
void ReachFinder::enter(std::int32_t row, std::int32_t west, std::int32_t east) {
  const std::int32_t columns = info_.grid.nx;
  std::int32_t* edges = edges_of(row);
  std::int32_t& begin = edges[std::max(west, 0)];
  std::int32_t& end = edges[std::min(east, columns - 1) + 1];
#pragma omp atomic
  ++begin;
#pragma omp atomic
  --end;
}

// Appends the entered cells that are open water outside the target, and clears the marks.
void ReachFinder::collect(const LevelView& level, std::vector<CellIndex>& cells) {
  const Grid& grid = info_.grid;
  const std::vector<std::uint8_t>& target = problem_.mission.target;
  for (std::int32_t row = south_; row <= north_; ++row) {
    std::int32_t* edges = edges_of(row);
    std::int32_t spans = 0;
    for (std::int32_t column = 0; column < grid.nx; ++column) {
      spans += edges[column];
      if (spans == 0) continue;
      const CellIndex cell = grid.cell(column, row);
      const auto at = static_cast<std::size_t>(cell.value);
      if (is_non_terminal(level.masked[at] != 0, target[at] != 0)) cells.push_back(cell);
    }
    std::fill_n(edges, static_cast<std::size_t>(grid.nx) + 1, 0);
  }
}

}  // namespace tidewise

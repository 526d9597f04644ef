#include "solver/confined/reach.h"

#include <algorithm>
#include <limits>

#include "base/parallel/first_error.h"
#include "model_builder/step/cell_reach.h"
#include "solver/step/boundary.h"

namespace tidewise {
namespace {

/// Every cell that a position within `range` and any action is given to, whichever the rule. A
/// vehicle that is somewhere in a cell comes to none but the two that a step from the centre
/// touches by area: ⌊d⌋ ≤ ⌊d + e + 1/2⌋ ≤ ⌊d⌋ + 1 for −1/2 ≤ e < 1/2. By cell the model comes to
/// one of them.
constexpr PositionRule touched_by_area{LandingBy::area, 0};

constexpr DisplacementRange everywhere{
    -greatest_displacement * one_cell + 1, greatest_displacement* one_cell - 1,
    -greatest_displacement* one_cell + 1, greatest_displacement* one_cell - 1};

/// Columns of each row that the actions of one cell lead to.
class StepWindow {
 public:
  struct Span {
    std::int32_t west = std::numeric_limits<std::int32_t>::max();
    std::int32_t east = std::numeric_limits<std::int32_t>::min();
  };

  void fill(const DisplacementRange& range, const std::vector<Action>& actions) {
    const SubGrid box = subgrid_of(range, actions, touched_by_area);
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
  /// (row from the south); a row that no action leads to ends before it begins.
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::int32_t south_ = 0;
  std::vector<Span> spans_;
};

}  // namespace

View<const CellIndex> ReachableCells::of(TimeLevel k) const {
  if (k < first_ || k > last()) return {};
  const std::size_t from = begin(k);
  return {cells_.data() + from,
          begin_[static_cast<std::size_t>(k.value - first_.value) + 1] - from};
}

std::vector<std::uint8_t> place_plane(const Grid& grid, const std::vector<std::int32_t>& cells) {
  std::vector<std::uint8_t> plane(static_cast<std::size_t>(grid.cell_count()), 0);
  for (const std::int32_t cell : cells) plane[static_cast<std::size_t>(cell)] = 1;
  return plane;
}

ReachFinder::ReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem,
                         std::int32_t threads)
    : info_(info),
      problem_(problem),
      threads_(threads),
      is_bounded_(static_cast<std::size_t>(info.grid.cell_count())),
      range_(static_cast<std::size_t>(info.grid.cell_count())),
      edges_(static_cast<std::size_t>(info.grid.nx + 1) * static_cast<std::size_t>(info.grid.ny)) {}

void ReachFinder::find(LevelSource& levels, TimeLevel first, const Entries& entries,
                       View<const std::uint8_t> ends, ReachableCells& reach, Progress& progress) {
  const TimeLevel last = problem_.mission.last;
  reach.first_ = first;
  reach.begin_.assign(1, 0);
  reach.cells_.clear();
  std::fill(edges_.begin(), edges_.end(), 0);
  south_ = info_.grid.ny;
  north_ = -1;
  std::vector<CellIndex> entered;
  progress.begin("finding where the vehicle can be", last.value - first.value, "levels");
  for (TimeLevel k = first; k <= last; ++k.value) {
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
      if (k < last) {
        const std::size_t from = reach.begin_.back();
        step(level, {reach.cells_.data() + from, reach.cells_.size() - from}, ends);
      }
    }
    reach.begin_.push_back(reach.cells_.size());
    progress.advance_to(k.value - first.value);
  }
  progress.end();
}

/// The flow in the cells and in those around them, which a vehicle that is not in the centre feels
/// as well.
void ReachFinder::bound_flow(const LevelView& level, View<const CellIndex> cells) {
  const Grid& grid = info_.grid;
  std::fill(is_bounded_.begin(), is_bounded_.end(), std::uint8_t{0});
  bounded_.clear();
  for (const CellIndex cell : cells) {
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    for (std::int32_t j = std::max(row - 1, 0); j <= std::min(row + 1, grid.ny - 1); ++j) {
      for (std::int32_t i = std::max(column - 1, 0); i <= std::min(column + 1, grid.nx - 1); ++i) {
        const CellIndex near = grid.cell(i, j);
        std::uint8_t& is_bounded = is_bounded_[static_cast<std::size_t>(near.value)];
        if (is_bounded == 0) bounded_.push_back(near);
        is_bounded = 1;
      }
    }
  }
  const DisplacementScale scale(grid, info_.time);
  const std::vector<Interval> coefficients = coefficient_ranges(level);
  const std::int32_t action = action_reach(problem_.actions);
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::size_t n = 0; n < bounded_.size(); ++n) {
    const auto at = static_cast<std::size_t>(bounded_[n].value);
    const CellReach reach = cell_reach(level, scale, problem_.rule, coefficients.data(), at);
    // What is refused in a cell that is sailed may still be in a closed one beside it.
    range_[at] = within_reach(reach.farthest, action) ? reach.range : everywhere;
  }
}

/// What bounds the flow at every point of a cell: it is interpolated between centres.
DisplacementRange ReachFinder::range_around(CellIndex cell) const {
  const Grid& grid = info_.grid;
  const std::int32_t column = grid.column(cell);
  const std::int32_t row = grid.row(cell);
  DisplacementRange range = range_[static_cast<std::size_t>(cell.value)];
  for (std::int32_t j = std::max(row - 1, 0); j <= std::min(row + 1, grid.ny - 1); ++j) {
    for (std::int32_t i = std::max(column - 1, 0); i <= std::min(column + 1, grid.nx - 1); ++i) {
      const DisplacementRange& other = range_[static_cast<std::size_t>(grid.cell(i, j).value)];
      range.x_min = std::min(range.x_min, other.x_min);
      range.x_max = std::max(range.x_max, other.x_max);
      range.y_min = std::min(range.y_min, other.y_min);
      range.y_max = std::max(range.y_max, other.y_max);
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
        if (!ends.empty() && ends[static_cast<std::size_t>(cell.value)] != 0) return;
        window.fill(range_around(cell), problem_.actions);
        const std::int32_t column = info_.grid.column(cell);
        std::int32_t row = info_.grid.row(cell) + window.south();
        for (const StepWindow::Span& span : window.spans()) {
          if (row >= 0 && row < info_.grid.ny && span.west <= span.east &&
              column + span.east >= 0 && column + span.west < info_.grid.nx) {
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

/// Columns west … east of a row, as far as they are in the grid, can be come to. Many threads may
/// say so at once.
void ReachFinder::enter(std::int32_t row, std::int32_t west, std::int32_t east) {
  const std::int32_t columns = info_.grid.nx;
  std::int32_t* edges =
      edges_.data() + static_cast<std::size_t>(row) * (static_cast<std::size_t>(columns) + 1);
  std::int32_t& begin = edges[std::max(west, 0)];
  std::int32_t& end = edges[std::min(east, columns - 1) + 1];
#pragma omp atomic
  ++begin;
#pragma omp atomic
  --end;
}

/// Appends what was entered and is open water outside the target, and forgets what was entered.
void ReachFinder::collect(const LevelView& level, std::vector<CellIndex>& cells) {
  const Grid& grid = info_.grid;
  const std::vector<std::uint8_t>& target = problem_.mission.target;
  for (std::int32_t row = south_; row <= north_; ++row) {
    std::int32_t* edges =
        edges_.data() + static_cast<std::size_t>(row) * (static_cast<std::size_t>(grid.nx) + 1);
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

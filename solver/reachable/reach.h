#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/memory/view.h"
#include "base/progress.h"
#include "env/environment_info.h"
#include "model_builder/step/cell_reach.h"
#include "model_builder/step/level_bounds.h"
#include "solver/reachable/level_source.h"
#include "solver/step/obstacle_index.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Position and time of a vehicle.
struct StartState {
  CellIndex cell;
  TimeLevel level;
};

/// Cells that a vehicle can reach at each level from a start, with any actions and any realizations
/// (docs/model.md, 3.8), by the rules of the model and in flights through one realization. It
/// contains every such cell and may contain others. Cells are those in which an action must be
/// found (BeyondTarget::non_terminal), and at the last level those in which time is up.
class ReachableCells {
 public:
  ReachableCells() = default;
  /// Level of the start.
  TimeLevel first() const { return first_; }
  /// The last level of the search.
  TimeLevel last() const {
    return TimeLevel(first_.value + static_cast<std::int32_t>(begin_.size()) - 2);
  }
  /// Cells of level k, ascending; empty for levels before the first and after the last.
  View<const CellIndex> of(TimeLevel k) const;
  /// Number of cells of all levels.
  std::size_t size() const { return cells_.size(); }
  /// Index of the first cell of level k among the cells of all levels. Requires first() ≤ k ≤
  /// last().
  std::size_t begin(TimeLevel k) const {
    return begin_[static_cast<std::size_t>(k.value - first_.value)];
  }

 private:
  friend class ReachFinder;
  TimeLevel first_;
  std::vector<std::size_t> begin_{0};  // (level), and the end
  std::vector<CellIndex> cells_;
};

/// Currents that may carry a vehicle from cell to cell.
enum class Currents {
  of_realizations,  ///< those of the realizations at the vehicle's position
  /// Also currents in any direction that are no stronger along x or y than the strongest of any
  /// realization in open water at that level. For vehicles at sea, whose true currents differ from
  /// those of all realizations.
  as_strong
};

/// Finds ReachableCells, level by level. Reuses its memory from one call to the next.
class ReachFinder {
 public:
  /// `info` and the problem must outlive the object.
  ReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem, std::int32_t threads,
              Currents currents = Currents::of_realizations);

  /// Appends the cells that are entered at level k without a step: the start, and the cells in
  /// which the leg before ends (docs/model.md, 3.7). In any order; duplicates are allowed.
  using Entries = std::function<void(TimeLevel k, std::vector<CellIndex>& cells)>;
  /// Finds the cells from level `first` to `end`, the mission's last level or an earlier one.
  /// `ends`: (y, x), 1 in the cells of the via point that ends a leg, which the leg does not leave
  /// before the last level; empty: none. Errors: those of the levels.
  void find(LevelSource& levels, TimeLevel first, TimeLevel end, const Entries& entries,
            View<const std::uint8_t> ends, ReachableCells& reach, Progress& progress);

 private:
  CellReach reach_of(const LevelView& level, const std::vector<Interval>& coefficients,
                     CellIndex cell) const;
  void bound_flow(const LevelView& level, View<const CellIndex> cells);
  void bound_strongest(const LevelView& level, const std::vector<Interval>& coefficients);
  DisplacementRange range_around(CellIndex cell) const;
  void step(const LevelView& level, View<const CellIndex> cells, View<const std::uint8_t> ends);
  void enter_windows(View<const CellIndex> cells, View<const std::uint8_t> ends,
                     std::int32_t spacing);
  void enter_part_way(View<const CellIndex> cells);
  void enter(std::int32_t row, std::int32_t west, std::int32_t east);
  std::int32_t* edges_of(std::int32_t row) {
    return edges_.data() +
           static_cast<std::size_t>(row) * (static_cast<std::size_t>(info_.grid.nx) + 1);
  }
  void collect(const LevelView& level, std::vector<CellIndex>& cells);

  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  std::int32_t threads_;
  Currents currents_;
  DisplacementRange strongest_{0, 0, 0, 0};  // range of the level, with Currents::as_strong
  std::vector<CellIndex> bounded_;           // cells of a level whose flow has been bounded
  std::vector<std::uint8_t> is_bounded_;     // (y, x)
  std::vector<DisplacementRange> range_;     // (y, x), of the cells of bounded_
  MarkedCells marked_;
  std::vector<Action> displaced_;  // displaced_actions()
  DisplacementRange actions_range_;
  // (y, x + 1): number of spans that begin here minus number that end
  std::vector<std::int32_t> edges_;
  std::int32_t south_ = 0;  // first row with a span
  std::int32_t north_ = -1;
};

}  // namespace tidewise

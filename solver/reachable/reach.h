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

/// Where a vehicle is, and when.
struct StartState {
  CellIndex cell;
  TimeLevel level;
};

/// The cells of each level in which a vehicle may stand that has been somewhere before, whatever
/// it did and whichever realizations it met (docs/model.md, 3.8): by the rules of the model, and in
/// flights through one realization as well. It lacks no such cell; it may hold cells that cannot be
/// come to. Cells are those in which an action is to be found (BeyondTarget::non_terminal), and at
/// the last level those in which time is up.
class ReachableCells {
 public:
  ReachableCells() = default;
  TimeLevel first() const { return first_; }
  TimeLevel last() const {
    return TimeLevel(first_.value + static_cast<std::int32_t>(begin_.size()) - 2);
  }
  /// Ascending; none for levels before the first and after the last.
  View<const CellIndex> of(TimeLevel k) const;
  /// Those of all levels.
  std::size_t size() const { return cells_.size(); }
  /// Where the cells of a level begin among all. Requires one of the levels.
  std::size_t begin(TimeLevel k) const {
    return begin_[static_cast<std::size_t>(k.value - first_.value)];
  }

 private:
  friend class ReachFinder;
  TimeLevel first_;
  std::vector<std::size_t> begin_{0};  // (level), and the end
  std::vector<CellIndex> cells_;
};

/// What carries a vehicle from cell to cell.
enum class Currents {
  of_realizations,  ///< those that some realization has where it is
  /// And any other, to whichever side, that is no stronger along x or y than the strongest that
  /// some realization has anywhere in open water at that level: for vehicles at sea, whose ocean is
  /// none of the realizations.
  as_strong
};

/// Finds them, level by level. Keeps its memory from one call to the
/// next.
class ReachFinder {
 public:
  /// `info` and the problem must outlive it.
  ReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem, std::int32_t threads,
              Currents currents = Currents::of_realizations);

  /// Appends the cells that are entered at level k other than from the level before: the first of
  /// all, and those where the leg before ends (docs/model.md, 3.7). In any order, more than once.
  using Entries = std::function<void(TimeLevel k, std::vector<CellIndex>& cells)>;
  /// From level `first` to `end`, the mission's last or one before it. `ends`: (y, x), 1 in the
  /// cells of the place in which a leg ends, from which it does not go on before the last level;
  /// empty: none. Errors: those of the levels.
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
  DisplacementRange strongest_{0, 0, 0, 0};  // of the level, with Currents::as_strong
  std::vector<CellIndex> bounded_;           // cells of a level whose flow is looked at
  std::vector<std::uint8_t> is_bounded_;     // (y, x)
  std::vector<DisplacementRange> range_;     // (y, x), of those
  MarkedCells marked_;
  std::vector<Action> displaced_;  // displaced_actions()
  DisplacementRange actions_range_;
  std::vector<std::int32_t> edges_;  // (y, x + 1): spans that begin here less those that end
  std::int32_t south_ = 0;           // rows that hold any
  std::int32_t north_ = -1;
};

}  // namespace tidewise

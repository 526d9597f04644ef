#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/mask.h"
#include "solver/step/boundary.h"
#include "solver/step/path.h"
#include "solver/step/step_outcome.h"
#include "solver/step/target_disc.h"

namespace tidewise {

enum class LastStep { no, yes };  ///< yes: level k+1 is the last level, L

/// Facts that hold for all paths from a cell, so that the path of each landing need not be traced.
struct PathsFromCell {
  bool open = false;        ///< no closed cell lies on any path
  bool off_target = false;  ///< no path enters the target's disc
};

/// Finds by which rule of docs/model.md, 3.1 a landing ends a step from level k. OutcomeRule gives
/// the value of that end. Trivially copyable.
struct LandingRule {
  Grid grid;
  LastStep last_step = LastStep::no;
  View<const std::uint8_t> target;       ///< (y, x)
  View<const std::uint8_t> masked_now;   ///< at k, (y, x)
  View<const std::uint8_t> masked_next;  ///< at k+1, (y, x)
  TargetDisc disc = {};

  /// End of a step in the model: from the centre of (column, row) to the centre of its neighbour at
  /// `to`.
  TIDEWISE_HOST_DEVICE StepEnd operator()(std::int32_t column, std::int32_t row, Offset to,
                                          PathsFromCell paths = {}) const {
    return classify(
        column, row, to, paths.open, last_step,
        [&] { return paths.off_target ? never_entered : disc.entered_at(grid, column, row, to); },
        [&](std::int32_t i, std::int32_t j) { return in_target(i, j); });
  }
  /// End of a step for another disc, target and last step. entered_at(): TargetDisc::entered_at()
  /// of the step. is_target(column, row): true for a target cell; called only for cells of the
  /// grid.
  template <class EnteredAt, class IsTarget>
  TIDEWISE_HOST_DEVICE StepEnd classify(std::int32_t column, std::int32_t row, Offset to, bool open,
                                        LastStep last, const EnteredAt& entered_at,
                                        const IsTarget& is_target) const {
    if (!open && path_is_blocked(grid, masked_now, masked_next, column, row, to)) {
      return {StepOutcome::obstacle, 1};
    }
    const double entered = entered_at();
    if (entered <= 1) return {StepOutcome::arrived, static_cast<float>(entered)};
    return {unobstructed(column + to.dx, row + to.dy, last, is_target), 1};
  }

  /// Applies the last rules: the end of a path to (column, row) that hits no obstacle and enters no
  /// disc.
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row) const {
    return unobstructed(column, row, last_step,
                        [&](std::int32_t i, std::int32_t j) { return in_target(i, j); });
  }
  /// unobstructed() for another target and last step.
  template <class IsTarget>
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row,
                                                LastStep last, const IsTarget& is_target) const {
    if (!grid.contains(column, row)) return StepOutcome::out_of_domain;
    if (is_target(column, row)) return StepOutcome::arrived;
    return last == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }

  /// True if no path from (column, row) to an offset between `first` and `last` enters the disc.
  TIDEWISE_HOST_DEVICE bool off_target(std::int32_t column, std::int32_t row, Offset first,
                                       Offset last) const {
    return !disc.may_be_entered(grid, column, row, first, last);
  }

  /// Facts of the paths from (column, row) to all offsets between `first` and `last`, from the mask
  /// of the box around them.
  TIDEWISE_HOST_DEVICE PathsFromCell paths_from(std::int32_t column, std::int32_t row, Offset first,
                                                Offset last) const {
    const OffsetBox box = box_with_start(grid, column, row, first, last);
    bool open = true;
    for (std::int32_t j = box.first.dy; open && j <= box.last.dy; ++j) {
      for (std::int32_t i = box.first.dx; open && i <= box.last.dx; ++i) {
        open = !masked(column + i, row + j);
      }
    }
    return {open, off_target(column, row, first, last)};
  }

  /// True if the backup must find an action for the cell at level k.
  TIDEWISE_HOST_DEVICE bool is_non_terminal(std::size_t cell) const {
    return tidewise::is_non_terminal(masked_now[cell] != 0, target[cell] != 0);
  }

  /// True if the cell is closed at level k or k+1.
  TIDEWISE_HOST_DEVICE bool masked(std::int32_t column, std::int32_t row) const {
    return masked_at(grid, masked_now, masked_next, column, row);
  }
  /// End of a flight at a cell that is masked(): an obstacle if it is one at either level,
  /// otherwise the end of the forecast.
  TIDEWISE_HOST_DEVICE StepOutcome outcome_of_closed(std::int32_t column, std::int32_t row) const {
    const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
    return masked_now[cell] == closed_by_obstacle || masked_next[cell] == closed_by_obstacle
               ? StepOutcome::obstacle
               : StepOutcome::out_of_forecast;
  }
  /// End of a flight with this landing. The model gives both kinds of closed cells the same value;
  /// a flight ends at an obstacle only if there is one on its path.
  TIDEWISE_HOST_DEVICE StepEnd end_of_flight(std::int32_t column, std::int32_t row, Offset to,
                                             const StepEnd& end) const {
    if (end.outcome != StepOutcome::obstacle) return end;
    const bool obstacle = any_on_path(grid, column, row, to, [&](std::int32_t i, std::int32_t j) {
      return masked(i, j) && outcome_of_closed(i, j) == StepOutcome::obstacle;
    });
    return {obstacle ? StepOutcome::obstacle : StepOutcome::out_of_forecast, end.fraction};
  }
  /// True for a target cell; false outside the grid.
  TIDEWISE_HOST_DEVICE bool in_target(std::int32_t column, std::int32_t row) const {
    return grid.contains(column, row) &&
           target[static_cast<std::size_t>(grid.cell(column, row).value)] != 0;
  }
};

}  // namespace tidewise

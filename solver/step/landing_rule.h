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

enum class LastStep { no, yes };  ///< whether k+1 = L

/// What is known beforehand of all ways that are to be asked for, so that each need not be looked
/// at.
struct WaysFromCell {
  bool open = false;        ///< no closed cell lies on any
  bool off_target = false;  ///< none meets the target's disc
};

/// Which of the rules of docs/model.md, 3.1 a landing falls under, at one level k. OutcomeRule says
/// what that is worth. Trivially copyable.
struct LandingRule {
  Grid grid;
  LastStep last_step = LastStep::no;
  View<const std::uint8_t> target;       ///< (y, x)
  View<const std::uint8_t> masked_now;   ///< at k, (y, x)
  View<const std::uint8_t> masked_next;  ///< at k+1, (y, x)
  TargetDisc disc = {};

  /// For the model: from the centre of (column, row) to the centre of its neighbour at `to`.
  TIDEWISE_HOST_DEVICE StepEnd operator()(std::int32_t column, std::int32_t row, Offset to,
                                          WaysFromCell ways = {}) const {
    return classify(
        column, row, to, ways.open, last_step,
        [&] { return ways.off_target ? never_met : disc.met_at(grid, column, row, to); },
        [&](std::int32_t i, std::int32_t j) { return in_target(i, j); });
  }
  /// The same with another disc, target and last step. met_at(): TargetDisc::met_at() of the step.
  /// is_target(column, row): of a cell of the grid.
  template <class MetAt, class IsTarget>
  TIDEWISE_HOST_DEVICE StepEnd classify(std::int32_t column, std::int32_t row, Offset to, bool open,
                                        LastStep last, const MetAt& met_at,
                                        const IsTarget& is_target) const {
    if (!open && way_is_blocked(grid, masked_now, masked_next, column, row, to)) {
      return {StepOutcome::obstacle, 1};
    }
    const double met = met_at();
    if (met <= 1) return {StepOutcome::arrived, static_cast<float>(met)};
    return {unobstructed(column + to.dx, row + to.dy, last, is_target), 1};
  }

  /// The last rules: landing in (column, row) after a way that meets neither obstacle nor disc.
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row) const {
    return unobstructed(column, row, last_step,
                        [&](std::int32_t i, std::int32_t j) { return in_target(i, j); });
  }
  template <class IsTarget>
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row,
                                                LastStep last, const IsTarget& is_target) const {
    if (!grid.contains(column, row)) return StepOutcome::out_of_domain;
    if (is_target(column, row)) return StepOutcome::arrived;
    return last == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }

  /// Whether no way from (column, row) to an offset between `first` and `last` meets the disc.
  TIDEWISE_HOST_DEVICE bool off_target(std::int32_t column, std::int32_t row, Offset first,
                                       Offset last) const {
    return !disc.may_be_met(grid, column, row, first, last);
  }

  /// Whether an action is to be found for a cell at k.
  TIDEWISE_HOST_DEVICE bool is_non_terminal(std::size_t cell) const {
    return tidewise::is_non_terminal(masked_now[cell] != 0, target[cell] != 0);
  }

  TIDEWISE_HOST_DEVICE bool masked(std::int32_t column, std::int32_t row) const {
    return masked_at(grid, masked_now, masked_next, column, row);
  }
  /// What ends a flight at a cell that is masked() at either level: an obstacle at one of them, or
  /// that the forecast ends.
  TIDEWISE_HOST_DEVICE StepOutcome barred_by(std::int32_t column, std::int32_t row) const {
    const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
    return masked_now[cell] == closed_by_obstacle || masked_next[cell] == closed_by_obstacle
               ? StepOutcome::obstacle
               : StepOutcome::out_of_forecast;
  }
  /// How a flight ends that lands so, for which the worth of both kinds of closed cells is the
  /// same: with an obstacle only where there is one on its way.
  TIDEWISE_HOST_DEVICE StepEnd end_of_flight(std::int32_t column, std::int32_t row, Offset to,
                                             const StepEnd& end) const {
    if (end.outcome != StepOutcome::obstacle) return end;
    const bool obstacle = on_way_from(grid, column, row, to, [&](std::int32_t i, std::int32_t j) {
      return masked(i, j) && barred_by(i, j) == StepOutcome::obstacle;
    });
    return {obstacle ? StepOutcome::obstacle : StepOutcome::out_of_forecast, end.fraction};
  }
  /// Whether a cell is the target's; none outside the grid is.
  TIDEWISE_HOST_DEVICE bool in_target(std::int32_t column, std::int32_t row) const {
    return grid.contains(column, row) &&
           target[static_cast<std::size_t>(grid.cell(column, row).value)] != 0;
  }
};

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "solver/step/boundary.h"
#include "solver/step/path.h"

namespace tidewise {

/// What one step comes to.
enum class StepOutcome : std::uint8_t {
  arrived,
  obstacle,
  out_of_domain,
  out_of_time,
  under_way  ///< the flight goes on
};

/// Whether a step that ends so failed.
TIDEWISE_HOST_DEVICE constexpr bool has_failed(StepOutcome outcome) {
  return outcome != StepOutcome::arrived && outcome != StepOutcome::under_way;
}

enum class LastStep { no, yes };  ///< whether k+1 = L

/// Which of the five rules of docs/model.md, 3.1 a landing falls under, at one level k. OutcomeRule
/// says what that is worth. Trivially copyable.
struct LandingRule {
  Grid grid;
  LastStep last_step = LastStep::no;
  View<const std::uint8_t> target;       ///< (y, x)
  View<const std::uint8_t> masked_now;   ///< at k, (y, x)
  View<const std::uint8_t> masked_next;  ///< at k+1, (y, x)

  /// For the model: from the centre of (column, row) to the centre of its neighbour at `to`.
  TIDEWISE_HOST_DEVICE StepOutcome operator()(std::int32_t column, std::int32_t row,
                                              Offset to) const {
    if (way_is_blocked(grid, masked_now, masked_next, column, row, to)) {
      return StepOutcome::obstacle;
    }
    return unobstructed(column + to.dx, row + to.dy);
  }

  /// The same where it may be known that no masked cell lies on the way.
  TIDEWISE_HOST_DEVICE StepOutcome operator()(std::int32_t column, std::int32_t row, Offset to,
                                              bool way_is_open) const {
    return way_is_open ? unobstructed(column + to.dx, row + to.dy) : (*this)(column, row, to);
  }

  /// Rules 2 to 5: landing in (column, row) after a way without obstacles.
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row) const {
    if (!grid.contains(column, row)) return StepOutcome::out_of_domain;
    if (target[static_cast<std::size_t>(grid.cell(column, row).value)] != 0) {
      return StepOutcome::arrived;
    }
    return last_step == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }

  /// Whether an action is to be found for a cell at k.
  TIDEWISE_HOST_DEVICE bool is_non_terminal(std::size_t cell) const {
    return tidewise::is_non_terminal(masked_now[cell] != 0, target[cell] != 0);
  }

  TIDEWISE_HOST_DEVICE bool masked(std::int32_t column, std::int32_t row) const {
    return masked_at(grid, masked_now, masked_next, column, row);
  }
};

}  // namespace tidewise

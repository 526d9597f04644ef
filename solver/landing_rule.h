#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/view.h"
#include "solver/outcome.h"
#include "solver/path.h"

namespace tidewise {

/// What one step comes to.
enum class StepOutcome : std::uint8_t {
  arrived,
  obstacle,
  out_of_domain,
  out_of_time,
  under_way  ///< the flight goes on
};

/// Which of the five rules of design section 2 a landing falls under, at one level k: OutcomeRule
/// says what it is worth, this what it is called. Trivially copyable.
struct LandingRule {
  Grid grid;
  LastStep last_step = LastStep::no;
  View<const std::uint8_t> target;       ///< (y, x)
  View<const std::uint8_t> closed_now;   ///< at k, (y, x)
  View<const std::uint8_t> closed_next;  ///< at k+1, (y, x)

  /// For the model: from the centre of (column, row) to the centre of its neighbour at `to`.
  TIDEWISE_HOST_DEVICE StepOutcome operator()(std::int32_t column, std::int32_t row,
                                              Offset to) const {
    if (way_is_blocked(grid, closed_now, closed_next, column, row, to)) {
      return StepOutcome::obstacle;
    }
    return unobstructed(column + to.dx, row + to.dy);
  }

  /// Rules 2 to 5: landing in (column, row) after a way without obstacles.
  TIDEWISE_HOST_DEVICE StepOutcome unobstructed(std::int32_t column, std::int32_t row) const {
    if (!grid.contains(column, row)) return StepOutcome::out_of_domain;
    if (target[static_cast<std::size_t>(grid.cell(column, row).value)] != 0) {
      return StepOutcome::arrived;
    }
    return last_step == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }

  /// Whether a cell is closed at k or k+1; none outside the grid is.
  TIDEWISE_HOST_DEVICE bool closed(std::int32_t column, std::int32_t row) const {
    if (!grid.contains(column, row)) return false;
    const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
    return closed_now[cell] != 0 || closed_next[cell] != 0;
  }
};

}  // namespace tidewise

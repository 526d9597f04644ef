#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "solver/step/failure_prices.h"
#include "solver/step/target_disc.h"

namespace tidewise {

// The boundary values of docs/model.md, 3.2: what a cell is worth in which no action is taken.

/// What open water outside the target gets at a level.
enum class BeyondTarget {
  late,         ///< time is up, or the cell is another's to decide on
  non_terminal  ///< an action is to be found for it
};

/// Whether a cell is one that actions are taken in before the last level: open water outside the
/// target.
TIDEWISE_HOST_DEVICE constexpr bool is_non_terminal(bool masked, bool in_target) {
  return !masked && !in_target;
}

/// The value of a cell without an action: 0 in the target, the price of an obstacle where it is
/// masked (a mask over the target wins), and elsewhere that of being late there. Trivially
/// copyable.
struct BoundaryValue {
  Grid grid;
  TargetDisc disc;
  FailurePrices failure;

  TIDEWISE_HOST_DEVICE float operator()(bool masked, bool in_target, std::size_t cell) const {
    if (masked) return failure.obstacle;
    return in_target ? 0.0F : late(static_cast<std::int32_t>(cell));
  }
  TIDEWISE_HOST_DEVICE float late(std::int32_t cell) const {
    return late(grid.column(CellIndex(cell)), grid.row(CellIndex(cell)));
  }
  TIDEWISE_HOST_DEVICE float late(std::int32_t column, std::int32_t row) const {
    if (failure.late_per_length == 0) return failure.late;
    return failure.late_at(disc.distance(grid, column, row));
  }
};

}  // namespace tidewise

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

/// What being late in a cell is worth. By reference, for the disc of one of many members lies in
/// memory that is not copied for a cell.
TIDEWISE_HOST_DEVICE inline float late_worth(const Grid& grid, const TargetDisc& disc,
                                             const FailurePrices& failure, std::int32_t column,
                                             std::int32_t row) {
  if (failure.late_per_length == 0) return failure.late;
  return failure.late_at(disc.distance(grid, column, row));
}

/// The value of a cell without an action: 0 in the target, the price of an obstacle where it is
/// masked (a mask over the target wins), and elsewhere that of being late there.
TIDEWISE_HOST_DEVICE inline float boundary_worth(const Grid& grid, const TargetDisc& disc,
                                                 const FailurePrices& failure, bool masked,
                                                 bool in_target, std::int32_t cell) {
  if (masked) return failure.obstacle;
  if (in_target) return 0.0F;
  return late_worth(grid, disc, failure, grid.column(CellIndex(cell)), grid.row(CellIndex(cell)));
}

/// Both, of one mission. Trivially copyable.
struct BoundaryValue {
  Grid grid;
  TargetDisc disc;
  FailurePrices failure;

  TIDEWISE_HOST_DEVICE float operator()(bool masked, bool in_target, std::size_t cell) const {
    return boundary_worth(grid, disc, failure, masked, in_target, static_cast<std::int32_t>(cell));
  }
  TIDEWISE_HOST_DEVICE float late(std::int32_t cell) const {
    return late(grid.column(CellIndex(cell)), grid.row(CellIndex(cell)));
  }
  TIDEWISE_HOST_DEVICE float late(std::int32_t column, std::int32_t row) const {
    return late_worth(grid, disc, failure, column, row);
  }
};

}  // namespace tidewise

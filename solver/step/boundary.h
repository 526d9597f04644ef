#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "solver/step/failure_penalties.h"
#include "solver/step/target_disc.h"

namespace tidewise {

// Boundary values of docs/model.md, 3.2: the values of cells in which no action is taken.

/// Treatment of open water outside the target at a level.
enum class BeyondTarget {
  late,         ///< time is up, or another band solves the cell
  non_terminal  ///< the backup finds an action and a value
};

/// True for a cell in which actions are taken before the last level: open water outside the target.
TIDEWISE_HOST_DEVICE constexpr bool is_non_terminal(bool masked, bool in_target) {
  return !masked && !in_target;
}

/// Value of a vehicle whose time is up in a cell. The disc is passed by reference because with many
/// members it lies in memory that must not be copied for each cell.
TIDEWISE_HOST_DEVICE inline float late_value(const Grid& grid, const TargetDisc& disc,
                                             const FailurePenalties& failure, std::int32_t column,
                                             std::int32_t row) {
  if (failure.late_per_length == 0) return failure.late;
  return failure.late_at(disc.distance(grid, column, row));
}

/// Value of a cell without an action: 0 in the target, the obstacle penalty where the cell is
/// masked (also within the target), otherwise late_value().
TIDEWISE_HOST_DEVICE inline float cell_boundary_value(const Grid& grid, const TargetDisc& disc,
                                                      const FailurePenalties& failure, bool masked,
                                                      bool in_target, std::int32_t cell) {
  if (masked) return failure.obstacle;
  if (in_target) return 0.0F;
  return late_value(grid, disc, failure, grid.column(CellIndex(cell)), grid.row(CellIndex(cell)));
}

/// cell_boundary_value() and late_value() of one mission. Trivially copyable.
struct BoundaryValue {
  Grid grid;
  TargetDisc disc;
  FailurePenalties failure;

  /// cell_boundary_value() of a cell.
  TIDEWISE_HOST_DEVICE float operator()(bool masked, bool in_target, std::size_t cell) const {
    return cell_boundary_value(grid, disc, failure, masked, in_target,
                               static_cast<std::int32_t>(cell));
  }
  /// late_value() of a cell.
  TIDEWISE_HOST_DEVICE float late(std::int32_t cell) const {
    return late(grid.column(CellIndex(cell)), grid.row(CellIndex(cell)));
  }
  /// late_value() of a cell.
  TIDEWISE_HOST_DEVICE float late(std::int32_t column, std::int32_t row) const {
    return late_value(grid, disc, failure, column, row);
  }
};

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// Result of disc_entered_at() for a path (of length 1) that does not enter the disc.
inline constexpr double never_entered = 2;

/// Fraction of the path from (x, y) by (to_x, to_y) at which it first enters the disc of `radius`
/// around the origin: 0 … 1, or never_entered. Computed as the smaller root of |p + φ w|² = R², in
/// the form without cancellation.
TIDEWISE_HOST_DEVICE inline double disc_entered_at(double x, double y, double to_x, double to_y,
                                                   double radius) {
  const double outside = x * x + y * y - radius * radius;
  if (outside <= 0) return 0;
  const double approach = -(x * to_x + y * to_y);
  if (!(approach > 0)) return never_entered;
  const double within = approach * approach - (to_x * to_x + to_y * to_y) * outside;
  if (!(within >= 0)) return never_entered;
  const double at = outside / (approach + std::sqrt(within));
  return at <= 1 ? at : never_entered;
}

/// One of the circles that cover a target of several points or of an area. Columns and rows are
/// those of the environment's grid.
struct TargetCircle {
  double column = 0;  ///< column of the centre
  double row = 0;
  double radius = 0;  ///< [m or 1]
};

/// Maximum number of circles that cover a target.
inline constexpr std::int32_t max_target_circles = 8;

/// The disc around the target within which a vehicle has arrived (docs/model.md, 3.1), and the
/// distance to it. Columns and rows are those of the environment's grid, so windows of it
/// (Grid::first_row) compute with the same numbers. Trivially copyable.
struct TargetDisc {
  double radius = 0;  ///< [m or 1]; 0: no disc, the target is its cells
  // Columns and rows whose centres may lie in the disc; an empty range without a disc.
  std::int32_t west = INT32_MAX;
  std::int32_t east = INT32_MIN;
  std::int32_t south = INT32_MAX;
  std::int32_t north = INT32_MIN;
  // Several points have one disc each, all of `radius`; the bounds above enclose all of them.
  // Without discs, several points and areas are covered by circles (target_circles.h), which only
  // distances use.
  std::int32_t circle_count = 1;
  TargetCircle circle[max_target_circles] = {};

  /// False only if no path from the centre of (column, row) to an offset between `first` and `last`
  /// enters the disc. The test is conservative, because it computes no path.
  TIDEWISE_HOST_DEVICE bool may_be_entered(const Grid& grid, std::int32_t from_column,
                                           std::int32_t from_row, Offset first, Offset last) const {
    const std::int32_t from = grid.first_row + from_row;
    return from_column + (first.dx < 0 ? first.dx : 0) <= east &&
           from_column + (last.dx > 0 ? last.dx : 0) >= west &&
           from + (first.dy < 0 ? first.dy : 0) <= north &&
           from + (last.dy > 0 ? last.dy : 0) >= south;
  }

  /// Fraction of the path from the centre of (column, row) by (x, y) [cells] at which it enters the
  /// disc; see disc_entered_at(). Requires a disc.
  TIDEWISE_HOST_DEVICE double entered_at(const Grid& grid, std::int32_t from_column,
                                         std::int32_t from_row, double x, double y) const {
    double entered = never_entered;
    // Only one copy of the arithmetic: a second copy for the first disc would cost `direct` 16
    // registers, and an eighth of its speed on the H200.
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (std::int32_t n = 0; n < circle_count; ++n) {
      const double at =
          disc_entered_at(along_x(grid, from_column, circle[n].column),
                          along_y(grid, from_row, circle[n].row), x * grid.dx, y * grid.dy, radius);
      entered = at < entered ? at : entered;
    }
    return entered;
  }

  /// Fraction of the path to the centre of the neighbour at `to` at which it enters the disc;
  /// never_entered without a disc.
  TIDEWISE_HOST_DEVICE double entered_at(const Grid& grid, std::int32_t from_column,
                                         std::int32_t from_row, Offset to) const {
    return may_be_entered(grid, from_column, from_row, to, to)
               ? entered_at(grid, from_column, from_row, to.dx, to.dy)
               : never_entered;
  }

  /// Fraction of the segment from (x, y) to (to_x, to_y) at which it enters the disc; see
  /// disc_entered_at(). Requires a disc.
  TIDEWISE_HOST_DEVICE double entered_by(const Grid& grid, double x, double y, double to_x,
                                         double to_y) const {
    double entered = never_entered;
    for (std::int32_t n = 0; n < circle_count; ++n) {
      const double at = entered_from(grid, circle[n], x, y, to_x, to_y);
      entered = at < entered ? at : entered;
    }
    return entered;
  }

  /// Distance from the rim of the nearest disc or circle to the centre of a cell [m or 1]; 0
  /// inside. Without discs and circles it is the distance from the target's point.
  TIDEWISE_HOST_DEVICE double distance(const Grid& grid, std::int32_t to_column,
                                       std::int32_t to_row) const {
    double min = from_circle(grid, circle[0], to_column, to_row);
    for (std::int32_t n = 1; n < circle_count; ++n) {
      const double beyond = from_circle(grid, circle[n], to_column, to_row);
      min = beyond < min ? beyond : min;
    }
    return min > 0 ? min : 0;
  }

 private:
  // Distance from `centre` to the centre of a cell [m or 1].
  TIDEWISE_HOST_DEVICE static double along_x(const Grid& grid, std::int32_t to_column,
                                             double centre) {
    return (to_column - centre) * grid.dx;
  }
  TIDEWISE_HOST_DEVICE static double along_y(const Grid& grid, std::int32_t to_row, double centre) {
    return (grid.first_row + to_row - centre) * grid.dy;
  }
  TIDEWISE_HOST_DEVICE double entered_from(const Grid& grid, const TargetCircle& centre, double x,
                                           double y, double to_x, double to_y) const {
    const double centre_x = grid.x_first + centre.column * grid.dx;
    const double centre_y = grid.y_first + (centre.row - grid.first_row) * grid.dy;
    return disc_entered_at(x - centre_x, y - centre_y, to_x - x, to_y - y, radius);
  }
  // Distance from the circle's rim to the centre of a cell [m or 1]; negative inside.
  TIDEWISE_HOST_DEVICE static double from_circle(const Grid& grid, const TargetCircle& from,
                                                 std::int32_t to_column, std::int32_t to_row) {
    const double x = along_x(grid, to_column, from.column);
    const double y = along_y(grid, to_row, from.row);
    return std::sqrt(x * x + y * y) - from.radius;
  }
};

}  // namespace tidewise

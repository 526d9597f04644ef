#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// Where along a straight way (of length 1) it first meets something; beyond its end: it does not.
inline constexpr double never_met = 2;

/// Where the way from (x, y), by (to_x, to_y), first meets the disc of `radius` around the origin:
/// 0 … 1, or never_met. The smaller root of |p + φ w|² = R², in the form that cancels nothing.
TIDEWISE_HOST_DEVICE inline double disc_met_at(double x, double y, double to_x, double to_y,
                                               double radius) {
  const double outside = x * x + y * y - radius * radius;
  if (outside <= 0) return 0;
  const double approach = -(x * to_x + y * to_y);
  if (!(approach > 0)) return never_met;
  const double within = approach * approach - (to_x * to_x + to_y * to_y) * outside;
  if (!(within >= 0)) return never_met;
  const double at = outside / (approach + std::sqrt(within));
  return at <= 1 ? at : never_met;
}

/// Part of what holds a target of several points, or of an area; in columns and rows as below.
struct TargetCircle {
  double column = 0;  ///< of the centre
  double row = 0;
  double radius = 0;  ///< [m or 1]
};

/// Circles that a target is held by.
inline constexpr std::int32_t most_target_circles = 8;

/// The disc around the target within which a vehicle has arrived (docs/model.md, 3.1), in columns
/// and rows of the environment's grid, so that windows of it (Grid::first_row) reckon with the same
/// numbers, and the distance to it. Trivially copyable.
struct TargetDisc {
  double radius = 0;  ///< [m or 1]; 0: there is no disc, the target is its cells
  // Columns and rows whose centres may lie in it; none where there is no disc.
  std::int32_t west = INT32_MAX;
  std::int32_t east = INT32_MIN;
  std::int32_t south = INT32_MAX;
  std::int32_t north = INT32_MIN;
  // Several points have a disc each, all of `radius`, and the bounds above are of all. Without
  // discs, several points and areas are held by circles (target_circles.h), which distances alone
  // look at.
  std::int32_t circle_count = 1;
  TargetCircle circle[most_target_circles] = {};

  /// Whether a way may meet it that leads from the centre of (column, row) to an offset between
  /// `first` and `last`. What is false is so; no way is looked at.
  TIDEWISE_HOST_DEVICE bool may_be_met(const Grid& grid, std::int32_t from_column,
                                       std::int32_t from_row, Offset first, Offset last) const {
    const std::int32_t from = grid.first_row + from_row;
    return from_column + (first.dx < 0 ? first.dx : 0) <= east &&
           from_column + (last.dx > 0 ? last.dx : 0) >= west &&
           from + (first.dy < 0 ? first.dy : 0) <= north &&
           from + (last.dy > 0 ? last.dy : 0) >= south;
  }

  /// Where the way from the centre of (column, row) by (x, y) [cells] meets it, as disc_met_at().
  /// Requires a disc.
  TIDEWISE_HOST_DEVICE double met_at(const Grid& grid, std::int32_t from_column,
                                     std::int32_t from_row, double x, double y) const {
    double met = never_met;
    // One copy of the arithmetic: a second, for the first disc alone, would cost `direct` 16
    // registers, and an eighth of its speed on the H200.
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (std::int32_t n = 0; n < circle_count; ++n) {
      const double at =
          disc_met_at(along_x(grid, from_column, circle[n].column),
                      along_y(grid, from_row, circle[n].row), x * grid.dx, y * grid.dy, radius);
      met = at < met ? at : met;
    }
    return met;
  }

  /// The same of the way to the centre of its neighbour at `to`, with or without a disc.
  TIDEWISE_HOST_DEVICE double met_at(const Grid& grid, std::int32_t from_column,
                                     std::int32_t from_row, Offset to) const {
    return may_be_met(grid, from_column, from_row, to, to)
               ? met_at(grid, from_column, from_row, to.dx, to.dy)
               : never_met;
  }

  /// Where the segment from (x, y) to (to_x, to_y) meets it, as disc_met_at(). Requires a disc.
  TIDEWISE_HOST_DEVICE double met_by(const Grid& grid, double x, double y, double to_x,
                                     double to_y) const {
    double met = never_met;
    for (std::int32_t n = 0; n < circle_count; ++n) {
      const double at = met_from(grid, circle[n], x, y, to_x, to_y);
      met = at < met ? at : met;
    }
    return met;
  }

  /// From its rim, or the centre where there is no disc, to the centre of a cell [m or 1]; 0
  /// within. Of several discs or circles, from the nearest.
  TIDEWISE_HOST_DEVICE double distance(const Grid& grid, std::int32_t to_column,
                                       std::int32_t to_row) const {
    double least = from_circle(grid, circle[0], to_column, to_row);
    for (std::int32_t n = 1; n < circle_count; ++n) {
      const double beyond = from_circle(grid, circle[n], to_column, to_row);
      least = beyond < least ? beyond : least;
    }
    return least > 0 ? least : 0;
  }

 private:
  /// From a centre to that of a cell [m or 1].
  TIDEWISE_HOST_DEVICE static double along_x(const Grid& grid, std::int32_t to_column,
                                             double centre) {
    return (to_column - centre) * grid.dx;
  }
  TIDEWISE_HOST_DEVICE static double along_y(const Grid& grid, std::int32_t to_row, double centre) {
    return (grid.first_row + to_row - centre) * grid.dy;
  }
  TIDEWISE_HOST_DEVICE double met_from(const Grid& grid, const TargetCircle& centre, double x,
                                       double y, double to_x, double to_y) const {
    const double centre_x = grid.x_first + centre.column * grid.dx;
    const double centre_y = grid.y_first + (centre.row - grid.first_row) * grid.dy;
    return disc_met_at(x - centre_x, y - centre_y, to_x - x, to_y - y, radius);
  }
  /// From the circle's rim to the centre of a cell; below 0 within.
  TIDEWISE_HOST_DEVICE static double from_circle(const Grid& grid, const TargetCircle& from,
                                                 std::int32_t to_column, std::int32_t to_row) {
    const double x = along_x(grid, to_column, from.column);
    const double y = along_y(grid, to_row, from.row);
    return std::sqrt(x * x + y * y) - from.radius;
  }
};

}  // namespace tidewise

#include "env/import/grid/grid_axes.h"

#include <limits>

namespace tidewise::ingest {
namespace {

/// The direction of one axis at point n, (east, north); NaN without neighbours. `index`: that of
/// the point along the axis, which has `count` points with a stride of `stride`; neighbours are
/// `distance` points away.
PlanePoint direction(const PointGrid& grid, std::size_t n, std::size_t index, std::size_t count,
                     std::size_t stride, std::ptrdiff_t distance) {
  const auto has_neighbour = [&](std::ptrdiff_t steps) {
    const std::ptrdiff_t neighbour = static_cast<std::ptrdiff_t>(index) + steps * distance;
    return neighbour >= 0 && neighbour < static_cast<std::ptrdiff_t>(count) &&
           grid.has_place(n + static_cast<std::size_t>(steps * distance) * stride);
  };
  const auto position = [&](std::ptrdiff_t steps) {
    return position_of(grid.place(n + static_cast<std::size_t>(steps * distance) * stride),
                       grid.eccentricity_squared);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Vector3 tangent;
  if (has_neighbour(-1) && has_neighbour(1)) {
    tangent = position(1) - position(-1);
  } else if (has_neighbour(1)) {
    tangent = has_neighbour(2) ? 4 * position(1) - 3 * position(0) - position(2)
                               : position(1) - position(0);
  } else if (has_neighbour(-1)) {
    tangent = has_neighbour(-2) ? 3 * position(0) - 4 * position(-1) + position(-2)
                                : position(0) - position(-1);
  } else {
    return {nan, nan};
  }
  const Compass compass(grid.place(n));
  const PlanePoint flat{dot(tangent, compass.east), dot(tangent, compass.north)};
  const double size = std::hypot(flat.x, flat.y);
  if (!(size > 0)) return {nan, nan};
  return {flat.x / size, flat.y / size};
}

}  // namespace

bool GridAxes::along_east() const {
  constexpr double fifth_of_a_degree = 0.0035;  // [rad]
  for (std::size_t n = 0; n < cosine.size(); ++n) {
    if (cosine[n] < 0 || std::abs(sine[n]) > fifth_of_a_degree) return false;
  }
  return true;
}

GridAxes axes_of(const PointGrid& grid, std::ptrdiff_t distance) {
  GridAxes axes;
  axes.cosine.resize(grid.size(), std::numeric_limits<double>::quiet_NaN());
  axes.sine = axes.cosine;
  std::vector<PlanePoint> along_rows(grid.size(), {std::nan(""), std::nan("")});
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < grid.size(); ++n) {
    if (!grid.has_place(n)) continue;
    const PlanePoint x = direction(grid, n, n % grid.columns, grid.columns, 1, distance);
    along_rows[n] = direction(grid, n, n / grid.columns, grid.rows, grid.columns, distance);
    axes.cosine[n] = x.x;
    axes.sine[n] = x.y;
  }
  double turning = 0;
  double skew = 0;
  std::size_t count = 0;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const double cross = axes.cosine[n] * along_rows[n].y - axes.sine[n] * along_rows[n].x;
    if (std::isnan(cross)) continue;
    turning += cross;
    skew += std::abs(axes.cosine[n] * along_rows[n].x + axes.sine[n] * along_rows[n].y);
    ++count;
  }
  axes.handedness = turning < 0 ? -1 : 1;
  axes.skew = count > 0 ? skew / static_cast<double>(count) : 0;
  // Without neighbours in its row, a point's column axis is at right angles to its row axis.
  for (std::size_t n = 0; n < grid.size(); ++n) {
    if (!std::isnan(axes.cosine[n])) continue;
    axes.cosine[n] = axes.handedness * along_rows[n].y;
    axes.sine[n] = -axes.handedness * along_rows[n].x;
  }
  return axes;
}

}  // namespace tidewise::ingest

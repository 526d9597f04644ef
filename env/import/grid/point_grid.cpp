#include "env/import/grid/point_grid.h"

#include <algorithm>
#include <limits>

#include "env/import/grid/median.h"

namespace tidewise::ingest {
namespace {

constexpr std::ptrdiff_t max_points_per_place = 8;

/// The median distance between points `stride` apart, for those with has_next(n).
template <typename HasNext>
double usual_step(const PointGrid& grid, std::size_t stride, const HasNext& has_next) {
  // Grids have millions of points, so a sample is used.
  const std::size_t sample_stride = std::max<std::size_t>(1, grid.size() / 100003);
  std::vector<double> steps;
  for (std::size_t n = 0; n < grid.size(); n += sample_stride) {
    if (!has_next(n) || !grid.has_place(n) || !grid.has_place(n + stride)) continue;
    const double step = length(grid.up(n + stride) - grid.up(n));
    if (step > 0) steps.push_back(step);
  }
  return median(std::move(steps));
}

}  // namespace

void drop_placeless(PointGrid& grid) {
  constexpr double no_position = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    double& longitude = grid.longitude[n];
    double& latitude = grid.latitude[n];
    const bool on_earth =
        longitude >= -720 && longitude <= 720 && latitude >= -90 - 1e-6 && latitude <= 90 + 1e-6;
    if (!on_earth) {
      longitude = latitude = no_position;
    } else {
      latitude = std::clamp(latitude, -90.0, 90.0);
      order.push_back(n);
    }
  }
  const auto before = [&](std::size_t a, std::size_t b) {
    return std::pair(grid.longitude[a], grid.latitude[a]) <
           std::pair(grid.longitude[b], grid.latitude[b]);
  };
  std::sort(order.begin(), order.end(), before);
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::upper_bound(first, order.end(), *first, before);
    if (last - first > max_points_per_place) {
      for (auto n = first; n != last; ++n) grid.longitude[*n] = grid.latitude[*n] = no_position;
    }
    first = last;
  }
}

double usual_column_step(const PointGrid& grid) {
  return usual_step(grid, 1, [&](std::size_t n) { return n % grid.columns + 1 < grid.columns; });
}

double usual_row_step(const PointGrid& grid) {
  return usual_step(grid, grid.columns,
                    [&](std::size_t n) { return n / grid.columns + 1 < grid.rows; });
}

bool is_cyclic(const PointGrid& grid) {
  if (grid.columns < 4) return false;
  std::size_t adjacent = 0;
  std::size_t count = 0;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    const std::size_t first = row * grid.columns;
    const std::size_t last = first + grid.columns - 1;
    if (!grid.has_place(first) || !grid.has_place(first + 1) || !grid.has_place(last) ||
        !grid.has_place(last - 1)) {
      continue;
    }
    const double step = std::max(length(grid.up(first + 1) - grid.up(first)),
                                 length(grid.up(last) - grid.up(last - 1)));
    const double gap = length(grid.up(first) - grid.up(last));
    ++count;
    // Columns at most half a step apart overlap.
    if (gap > 0.5 * step && gap < 1.5 * step) ++adjacent;
  }
  return count > 0 && 2 * adjacent > count;
}

bool is_folded(const PointGrid& grid) {
  if (grid.columns < 8 || grid.rows < 2) return false;
  std::size_t adjacent = 0;
  std::size_t count = 0;
  const std::size_t first = (grid.rows - 1) * grid.columns;
  for (std::size_t column = 0; column < grid.columns; ++column) {
    const std::size_t n = first + column;
    const std::size_t opposite = first + grid.columns - 1 - column;
    if (!grid.has_place(n) || !grid.has_place(opposite) || !grid.has_place(n - grid.columns))
      continue;
    const double step = length(grid.up(n) - grid.up(n - grid.columns));
    const double gap = length(grid.up(n) - grid.up(opposite));
    ++count;
    // Points at most half a step apart mean that the row is stored twice.
    if (gap > 0.5 * step && gap < 1.5 * step) ++adjacent;
  }
  return count > 0 && 2 * adjacent > count;
}

}  // namespace tidewise::ingest

#include "env/import/obstacle_mask.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tidewise::ingest {
namespace {

constexpr double samples_per_cell = 8;  // along an outline
constexpr double most_samples = 1e5;  // on one edge; beyond it the edge is far larger than the grid

/// Even-odd rule: a point inside the outline and inside a hole is outside.
bool holds(const std::vector<Ring>& rings, double longitude, double latitude) {
  bool inside = false;
  for (const Ring& ring : rings) {
    const double shift = 360 * std::round((longitude - ring.front().longitude) / 360);
    for (const double turn : {shift - 360, shift, shift + 360}) {
      for (std::size_t n = 1; n < ring.size(); ++n) {
        const auto [x1, y1] = ring[n - 1];
        const auto [x2, y2] = ring[n];
        if ((y1 > latitude) == (y2 > latitude)) continue;
        const double crossing = x1 + (latitude - y1) / (y2 - y1) * (x2 - x1);
        if (longitude < crossing + turn) inside = !inside;
      }
    }
  }
  return inside;
}

std::vector<std::size_t> cells_with_centre_in(const ObstaclePolygon& polygon,
                                              const TargetGrid& target) {
  std::vector<std::size_t> cells;
  const Ring& outline = polygon.rings.front();
  const auto [south, north] =
      std::minmax_element(outline.begin(), outline.end(),
                          [](const auto& a, const auto& b) { return a.latitude < b.latitude; });
  for (std::size_t cell = 0; cell < target.longitude.size(); ++cell) {
    if (target.latitude[cell] < south->latitude || target.latitude[cell] > north->latitude)
      continue;
    if (holds(polygon.rings, target.longitude[cell], target.latitude[cell])) cells.push_back(cell);
  }
  return cells;
}

std::vector<std::size_t> cells_along_outline(const ObstaclePolygon& polygon, const Grid& grid,
                                             const LocalPlane& plane) {
  std::set<std::size_t> cells;
  const Ring& outline = polygon.rings.front();
  for (std::size_t n = 1; n < outline.size(); ++n) {
    const auto from = outline[n - 1];
    const auto to = outline[n];
    const PlanePoint a = plane.to_plane(from);
    const PlanePoint b = plane.to_plane(to);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (!std::isfinite(length)) continue;
    const double samples =
        std::clamp(std::ceil(length / grid.dx * samples_per_cell), 1.0, most_samples);
    for (double sample = 0; sample <= samples; ++sample) {
      const double share = sample / samples;
      const PlanePoint point =
          plane.to_plane({from.longitude + share * (to.longitude - from.longitude),
                          from.latitude + share * (to.latitude - from.latitude)});
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      const double i = std::floor((point.x - grid.x_first) / grid.dx + 0.5);
      const double j = std::floor((point.y - grid.y_first) / grid.dy + 0.5);
      if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) continue;
      cells.insert(static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx) +
                   static_cast<std::size_t>(i));
    }
  }
  return {cells.begin(), cells.end()};
}

/// Levels [first, end) at which the polygon is closed.
std::pair<std::size_t, std::size_t> levels_of(const ObstaclePolygon& polygon,
                                              const std::vector<double>& levels) {
  const auto first = std::lower_bound(levels.begin(), levels.end(), polygon.start) - levels.begin();
  const auto end = std::upper_bound(levels.begin(), levels.end(), polygon.end) - levels.begin();
  if (first < end) return {first, end};
  if (first == 0 || first == static_cast<std::ptrdiff_t>(levels.size())) return {0, 0};
  const double middle = (polygon.start + polygon.end) / 2;
  const auto after = static_cast<std::size_t>(first);
  const bool earlier = middle - levels[after - 1] <= levels[after] - middle;
  const std::size_t nearest = earlier ? after - 1 : after;
  return {nearest, nearest + 1};
}

}  // namespace

ObstacleMask::ObstacleMask(const std::vector<ObstaclePolygon>& polygons, const TargetGrid& target,
                           const LocalPlane& plane, const std::vector<double>& levels) {
  for (const ObstaclePolygon& polygon : polygons) {
    const auto [first, end] = levels_of(polygon, levels);
    auto cells = cells_with_centre_in(polygon, target);
    if (cells.empty()) cells = cells_along_outline(polygon, target.grid, plane);
    burnt_.push_back({std::move(cells), first, end});
  }
}

void ObstacleMask::burn(std::size_t level, std::vector<std::uint8_t>& masked) const {
  for (const Burnt& obstacle : burnt_) {
    if (level < obstacle.first_level || level >= obstacle.end_level) continue;
    for (const std::size_t cell : obstacle.cells) masked[cell] = 1;
  }
}

std::size_t ObstacleMask::count_used() const {
  return static_cast<std::size_t>(
      std::count_if(burnt_.begin(), burnt_.end(), [](const Burnt& obstacle) {
        return !obstacle.cells.empty() && obstacle.first_level < obstacle.end_level;
      }));
}

}  // namespace tidewise::ingest

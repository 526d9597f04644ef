#include "env/import/obstacle_mask.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "env/areas/levels_within.h"
#include "env/areas/polygon_interior.h"
#include "env/mask.h"

namespace tidewise::ingest {
namespace {

constexpr double samples_per_cell = 8;  // along an outline
constexpr double max_samples = 1e5;     // longer edges are far larger than the grid

std::vector<std::size_t> cells_with_centre_in(const GeojsonPolygon& polygon,
                                              const TargetGrid& target) {
  const PolygonInterior interior(polygon.rings, Wrap::longitude);
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < target.longitude.size(); ++cell) {
    if (interior.holds({target.longitude[cell], target.latitude[cell]})) cells.push_back(cell);
  }
  return cells;
}

std::vector<std::size_t> cells_along_outline(const GeojsonPolygon& polygon, const Grid& grid,
                                             const LocalPlane& plane) {
  std::set<std::size_t> cells;
  const Ring& outline = polygon.rings.front();
  for (std::size_t n = 1; n < outline.size(); ++n) {
    const GeographicPoint from{outline[n - 1][0], outline[n - 1][1]};
    const GeographicPoint to{outline[n][0], outline[n][1]};
    const PlanePoint a = plane.to_plane(from);
    const PlanePoint b = plane.to_plane(to);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (!std::isfinite(length)) continue;
    const double samples =
        std::clamp(std::ceil(length / grid.dx * samples_per_cell), 1.0, max_samples);
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

}  // namespace

ObstacleMask::ObstacleMask(const std::vector<GeojsonPolygon>& polygons, const TargetGrid& target,
                           const LocalPlane& plane, const std::vector<double>& levels) {
  for (const GeojsonPolygon& polygon : polygons) {
    const auto [first, end] = levels_within(levels, polygon.start, polygon.end);
    auto cells = cells_with_centre_in(polygon, target);
    if (cells.empty()) cells = cells_along_outline(polygon, target.grid, plane);
    closed_areas_.push_back({std::move(cells), first, end});
  }
}

void ObstacleMask::burn(std::size_t level, std::vector<std::uint8_t>& masked) const {
  for (const ClosedArea& obstacle : closed_areas_) {
    if (level < obstacle.first_level || level >= obstacle.end_level) continue;
    for (const std::size_t cell : obstacle.cells) masked[cell] = closed_by_obstacle;
  }
}

std::size_t ObstacleMask::count_used() const {
  return static_cast<std::size_t>(
      std::count_if(closed_areas_.begin(), closed_areas_.end(), [](const ClosedArea& obstacle) {
        return !obstacle.cells.empty() && obstacle.first_level < obstacle.end_level;
      }));
}

}  // namespace tidewise::ingest

#pragma once

#include <cstdint>
#include <vector>

#include "env/areas/geojson_polygons.h"
#include "env/import/grid/target_grid.h"

namespace tidewise::ingest {

/// Cells that polygons close. A cell is closed if its centre lies inside a polygon (edges are
/// straight in longitude and latitude, as in GeoJSON; holes stay open). A polygon that contains no
/// centre, such as a rock or a thin wall, closes every cell that its outline passes through.
class ObstacleMask {
 public:
  ObstacleMask() = default;
  /// `levels`: times of the environment's levels [s since 1970]. A polygon is closed at the levels
  /// from its start to its end, both included; if both lie between two levels, at the nearer one.
  ObstacleMask(const std::vector<GeojsonPolygon>& polygons, const TargetGrid& target,
               const LocalPlane& plane, const std::vector<double>& levels);

  /// Sets `masked`, (y, x), to 1 in cells that are closed at `level`.
  void burn(std::size_t level, std::vector<std::uint8_t>& masked) const;
  /// Number of polygons that close at least one cell at some level.
  std::size_t count_used() const;

 private:
  struct ClosedArea {
    std::vector<std::size_t> cells;
    std::size_t first_level = 0;
    std::size_t end_level = 0;  ///< one past the last
  };

  std::vector<ClosedArea> closed_areas_;
};

}  // namespace tidewise::ingest

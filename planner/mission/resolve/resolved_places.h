#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/areas/area_cells.h"
#include "env/file/reader.h"
#include "env/points.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Converts a mission's places in x and y or in degrees to the plane and cells of a grid. Errors:
/// InputError with the key's place, for degrees if the environment has none, and for degrees given
/// as x and y.
class AreaResolver {
 public:
  AreaResolver(const RunRequest& request, const EnvironmentReader& environment);

  /// Returns the cells of a polygon, ascending; none if it lies outside the grid. `key`: the key of
  /// the polygon, for messages.
  std::vector<std::int32_t> cells(const std::string& key, Position::Frame frame,
                                  const Polygon& polygon) const;
  /// Returns a point of the plane. Errors: also for a point outside the grid.
  PlanePoint point(const std::string& key, Position::Frame frame, const Vertex& vertex) const;

 private:
  struct Degrees {
    std::vector<double> longitude, latitude;  // (y, x)
    std::optional<AreaCells> cells;
  };

  /// Returns the degrees of the cells; null if the environment has none, or lacks them in some
  /// cell.
  const Degrees* known_degrees() const;
  const Degrees& degrees(const std::string& key) const;
  [[noreturn]] void refuse_degrees(const std::string& key, const Vertex& vertex) const;
  /// True if a vertex given as x and y looks like degrees.
  bool is_in_degrees(const Vertex& vertex) const;
  /// True if a polygon given as x and y is smaller than a cell, and covers more cells as degrees.
  bool is_in_degrees(const Polygon& polygon) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

  const RunRequest& request_;
  const EnvironmentReader& environment_;
  AreaCells plane_cells_;
  mutable bool has_read_degrees_ = false;
  mutable std::optional<Degrees> degrees_;
};

/// A mission's start, target or via point on the plane.
struct ResolvedPlace {
  std::string key;  ///< key that defines it
  std::vector<PlanePoint>
      points;  ///< points of the mission; for polygons the centres of their cells
  std::vector<std::int32_t> cells;  ///< cells of the polygons, ascending, or one cell per point
};

/// Converts a place. `which`: "start", "target" or "via". Errors: InputError for a place outside
/// the grid.
ResolvedPlace resolve_place(const RunRequest& request, const char* which, const Position& position,
                            const AreaResolver& areas, const EnvironmentInfo& info);

/// Returns the key of a place, such as "mission.start_lonlat".
std::string key_of_place(const char* which, const Position& position);

/// Describes a place as "[100.5, 40.5]", "any of 3 points" or "an area of 25 cell(s)".
std::string describe_place(const Position& position, const ResolvedPlace& place);

}  // namespace tidewise

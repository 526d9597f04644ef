#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "env/import/grid/source_grid.h"
#include "env/points.h"
#include "env/units/angle.h"

namespace tidewise::rehearsal {

// Geometry on the WGS84 ellipsoid without any projection. A place is represented by its upward unit
// vector, which has neither a seam nor a pole.

struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;

  friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator*(double factor, Vector a) {
    return {factor * a.x, factor * a.y, factor * a.z};
  }
};

inline double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vector normalized(Vector a) { return 1 / std::sqrt(dot(a, a)) * a; }

inline Vector up_at(GeographicPoint place) {
  const double longitude = place.longitude * radians_per_degree;
  const double latitude = place.latitude * radians_per_degree;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

/// Returns the place of an upward vector; longitude in −180 … 180.
inline GeographicPoint place_at(Vector up) {
  return {std::atan2(up.y, up.x) / radians_per_degree,
          std::atan2(up.z, std::hypot(up.x, up.y)) / radians_per_degree};
}

/// Returns the unit vector to the east. At a pole, where every direction follows a meridian, it is
/// that of 90° E.
inline Vector east_at(Vector up) {
  const double across = std::hypot(up.x, up.y);
  return across > 0 ? Vector{-up.y / across, up.x / across, 0} : Vector{0, 1, 0};
}
inline Vector north_at(Vector up) { return cross(up, east_at(up)); }

/// A velocity or displacement over the ground [m s-1 or m].
struct EastNorth {
  double east = 0;
  double north = 0;
};

/// Radii of curvature [m].
struct Curvature {
  double along_parallel = 0;  ///< radius of the section to the east
  double along_meridian = 0;

  explicit Curvature(Vector up) {
    constexpr double semi_major_axis = 6378137;                // [m] WGS84
    constexpr double eccentricity_squared = 0.00669437999014;  // WGS84
    const double w = 1 - eccentricity_squared * up.z * up.z;
    along_parallel = semi_major_axis / std::sqrt(w);
    along_meridian = along_parallel * (1 - eccentricity_squared) / w;
  }
};

/// Returns the rate of change of `up` with a velocity over the ground [s-1].
inline Vector turning_of(Vector up, EastNorth velocity) {
  const Curvature radius(up);
  return velocity.east / radius.along_parallel * east_at(up) +
         velocity.north / radius.along_meridian * north_at(up);
}

/// Returns the displacement between two near places [m].
inline EastNorth displacement_between(Vector from, Vector to) {
  const Curvature radius(from);
  return {radius.along_parallel * dot(east_at(from), to),
          radius.along_meridian * dot(north_at(from), to)};
}

/// The four points of the source around a place, and the position between them.
struct Corners {
  /// Indices (row, column): two columns of the first row, then the same columns of the next row.
  std::array<std::size_t, 4> point{};
  double across = 0;  ///< 0 … 1 from the first column to the next
  double along = 0;   ///< 0 … 1 from the first row to the next

  std::array<double, 4> weights() const {
    return {(1 - across) * (1 - along), across * (1 - along), (1 - across) * along, across * along};
  }
};

/// The points of a forecast and the search for those around a place: on grids along longitude and
/// latitude by their axes, on others by the quadrilateral of neighbours that holds the place, seen
/// from straight above.
class SourcePoints {
 public:
  explicit SourcePoints(const ingest::SourceGrid& grid);

  /// Returns the points around a place; nullopt outside the points' area. `near`: the location of a
  /// near place, which shortens the search; it is updated.
  std::optional<Corners> locate(Vector up, Corners& near) const;

  std::size_t size() const { return rows_ * columns_; }
  /// True on a curvilinear grid, on which east turns from point to point.
  bool is_curvilinear() const { return !up_.empty(); }
  /// Returns the point that decides whether a place is land: the nearest of the four, or the centre
  /// of a C grid's cell.
  std::size_t deciding(const Corners& corners) const;
  /// Place of a point of a curvilinear grid.
  Vector up(std::size_t point) const { return up_[point]; }

 private:
  std::optional<Corners> locate_on_axes(GeographicPoint place) const;
  std::optional<Corners> walk(Vector up, std::size_t row, std::size_t column) const;
  std::size_t nearest_point(Vector up) const;

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> longitude_, latitude_;  // [degrees], ascending; empty if curvilinear
  bool staggered_ = false;
  std::vector<Vector> up_;  // (row, column); NaN where a point has no place
};

}  // namespace tidewise::rehearsal

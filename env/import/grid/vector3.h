#pragma once

#include <cmath>

#include "env/import/grid/local_plane.h"
#include "env/units/angle.h"

namespace tidewise::ingest {

/// A vector in three dimensions.
struct Vector3 {
  double x = 0;
  double y = 0;
  double z = 0;
};

inline Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3 operator*(double factor, Vector3 a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
inline double dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vector3 a) { return std::sqrt(dot(a, a)); }

/// The unit vectors to the east, to the north and up at a point of the Earth, in space, where
/// neither the date line nor a pole is special.
struct Compass {
  Vector3 east, north, up;

  explicit Compass(GeographicPoint point) {
    const double sin_lon = std::sin(point.longitude * radians_per_degree);
    const double cos_lon = std::cos(point.longitude * radians_per_degree);
    const double sin_lat = std::sin(point.latitude * radians_per_degree);
    const double cos_lat = std::cos(point.latitude * radians_per_degree);
    east = {-sin_lon, cos_lon, 0};
    north = {-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat};
    up = {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat};
  }
};

/// Position of a point on an ellipsoid of semi-major axis 1; eccentricity 0 is the sphere.
inline Vector3 position_of(GeographicPoint point, double eccentricity_squared) {
  Vector3 up = Compass(point).up;
  const double normal = 1 / std::sqrt(1 - eccentricity_squared * up.z * up.z);
  return {normal * up.x, normal * up.y, normal * (1 - eccentricity_squared) * up.z};
}

/// The point whose vertical direction is `up`.
inline GeographicPoint place_of(Vector3 up) {
  return {std::atan2(up.y, up.x) * degrees_per_radian,
          std::atan2(up.z, std::hypot(up.x, up.y)) * degrees_per_radian};
}

}  // namespace tidewise::ingest

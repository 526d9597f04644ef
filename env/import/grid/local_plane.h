#pragma once

#include <memory>
#include <string>

#include "env/file/writer.h"
#include "env/points.h"

namespace tidewise::ingest {

struct Transformation;

/// A metric plane around a point, with +y to the north at that point: the oblique stereographic
/// projection of the WGS84 ellipsoid, by PROJ.
///
/// The projection is conformal: at each point all headings turn by one angle, the convergence.
/// Therefore currents, compass courses and the shapes of cells stay true, and vectors need only one
/// rotation. Lengths grow with the distance d from the centre by (d / 2R)²: 0.02 % at 200 km, 0.6 %
/// at 1000 km (length_scale()). Velocities stay in true metres per second.
class LocalPlane {
 public:
  /// Errors: RunError if PROJ cannot make the projection.
  explicit LocalPlane(GeographicPoint centre);
  ~LocalPlane();

  PlanePoint to_plane(GeographicPoint point) const;
  /// Inverse of to_plane(). The longitude lies within half a turn of the centre's.
  GeographicPoint to_geographic(PlanePoint point) const;
  /// The unit vector (x, y) to true north; east is (y, -x).
  PlanePoint north_at(GeographicPoint point) const;
  /// Metres on the plane per true metre.
  double length_scale(GeographicPoint point) const;

  /// The projection in PROJ's syntax, e.g. "+proj=stere +lat_0=48 …".
  const std::string& proj_string() const { return proj_string_; }
  /// CF's grid mapping "stereographic".
  GridMapping grid_mapping() const;

 private:
  GeographicPoint centre_;
  std::string proj_string_;
  std::unique_ptr<Transformation> transformation_;
};

}  // namespace tidewise::ingest

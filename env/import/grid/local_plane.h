#pragma once

#include <memory>
#include <string>

#include "env/file/writer.h"
#include "env/points.h"

namespace tidewise::ingest {

struct Transformation;

/// A metric plane around a point, with north up there: the oblique stereographic projection of the
/// WGS84 ellipsoid, through PROJ.
///
/// It is chosen because it is conformal: every heading turns by one angle, the convergence, so that
/// currents, compass courses and the shapes of cells stay true, and one rotation is all that
/// vectors need. Lengths grow with the distance d from the centre by (d / 2R)²: 0.02 % at 200 km,
/// 0.6 % at 1000 km; length_scale() says how much. Velocities stay in true metres a second.
class LocalPlane {
 public:
  /// Errors: RunError when PROJ cannot make it.
  explicit LocalPlane(GeographicPoint centre);
  ~LocalPlane();

  PlanePoint to_plane(GeographicPoint point) const;
  /// Longitude lies within half a turn of the centre's.
  GeographicPoint to_geographic(PlanePoint point) const;
  /// The unit vector that points to true north. East is (y, -x) of it.
  PlanePoint north_at(GeographicPoint point) const;
  /// Metres on the plane for a true metre.
  double length_scale(GeographicPoint point) const;

  /// As PROJ takes it, e.g. "+proj=stere +lat_0=48 …".
  const std::string& proj_string() const { return proj_string_; }
  /// CF's grid mapping "stereographic".
  GridMapping grid_mapping() const;

 private:
  GeographicPoint centre_;
  std::string proj_string_;
  std::unique_ptr<Transformation> transformation_;
};

}  // namespace tidewise::ingest

#include "env/import/grid/local_plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/import/grid/transformation.h"
#include "env/units/angle.h"

namespace tidewise::ingest {
namespace {

constexpr double small_angle = 1e-4;  // [degrees] 11 m, for the direction of north

}  // namespace

LocalPlane::LocalPlane(GeographicPoint centre)
    : centre_(centre),
      // The ellipsoid by name needs no look-up in PROJ's database, which may not be installed.
      proj_string_(fmt::format("+proj=stere +lat_0={} +lon_0={} +k=1 +x_0=0 +y_0=0 +ellps=WGS84 "
                               "+units=m +no_defs",
                               centre.latitude, centre.longitude)),
      transformation_(std::make_unique<Transformation>(proj_string_)) {
  if (transformation_->projection == nullptr) {
    throw RunError(fmt::format("PROJ could not make the projection \"{}\"; check its installation",
                               proj_string_));
  }
}

LocalPlane::~LocalPlane() = default;

PlanePoint LocalPlane::to_plane(GeographicPoint point) const {
  const PJ_COORD out = proj_trans(
      transformation_->projection, PJ_FWD,
      proj_coord(point.longitude * radians_per_degree, point.latitude * radians_per_degree, 0, 0));
  return {out.xy.x, out.xy.y};
}

GeographicPoint LocalPlane::to_geographic(PlanePoint point) const {
  const PJ_COORD out =
      proj_trans(transformation_->projection, PJ_INV, proj_coord(point.x, point.y, 0, 0));
  const double longitude = out.lp.lam / radians_per_degree;
  return {longitude - 360 * std::round((longitude - centre_.longitude) / 360),
          out.lp.phi / radians_per_degree};
}

PlanePoint LocalPlane::north_at(GeographicPoint point) const {
  // At a pole the points lie on one side only, on the meridian of the point's longitude.
  const PlanePoint south =
      to_plane({point.longitude, std::max(point.latitude - small_angle, -90.0)});
  const PlanePoint north =
      to_plane({point.longitude, std::min(point.latitude + small_angle, 90.0)});
  const double length = std::hypot(north.x - south.x, north.y - south.y);
  return {(north.x - south.x) / length, (north.y - south.y) / length};
}

double LocalPlane::length_scale(GeographicPoint point) const {
  const PJ_FACTORS factors = proj_factors(
      transformation_->projection,
      proj_coord(point.longitude * radians_per_degree, point.latitude * radians_per_degree, 0, 0));
  return factors.meridional_scale;
}

GridMapping LocalPlane::grid_mapping() const {
  constexpr double semi_major_axis = 6378137;           // [m] WGS84
  constexpr double inverse_flattening = 298.257223563;  // WGS84
  return {{"grid_mapping_name", "stereographic"},
          {"latitude_of_projection_origin", centre_.latitude},
          {"longitude_of_projection_origin", centre_.longitude},
          {"scale_factor_at_projection_origin", 1.0},
          {"false_easting", 0.0},
          {"false_northing", 0.0},
          {"semi_major_axis", semi_major_axis},
          {"inverse_flattening", inverse_flattening},
          {"proj4_params", proj_string_}};
}

}  // namespace tidewise::ingest

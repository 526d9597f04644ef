#include "env/import/grid/grid_projection.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/grid/transformation.h"
#include "env/units/angle.h"

namespace tidewise::ingest {

GridProjection::GridProjection(const std::string& proj)
    : definition_(proj), transformation_(std::make_unique<Transformation>(proj)) {
  if (transformation_->projection != nullptr) return;
  throw input_error(errors::projection_invalid, proj);
}

GridProjection::~GridProjection() = default;

bool GridProjection::is_angular() const {
  // PROJ itself calls the units of a turned longlat "whatever".
  return definition_.find("+o_proj=longlat") != std::string::npos ||
         definition_.find("+o_proj=latlon") != std::string::npos;
}

GeographicPoint GridProjection::to_geographic(PlanePoint point) const {
  const double unit = is_angular() ? radians_per_degree : 1;
  const PJ_COORD out = proj_trans(transformation_->projection, PJ_INV,
                                  proj_coord(unit * point.x, unit * point.y, 0, 0));
  if (!std::isfinite(out.lp.lam) || !std::isfinite(out.lp.phi)) {
    constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
    return {nowhere, nowhere};
  }
  return {out.lp.lam / radians_per_degree, out.lp.phi / radians_per_degree};
}

double GridProjection::eccentricity_squared() const {
  if (is_angular()) return 0;  // a rotated pole turns angles as on a sphere
  const Transformation system(definition_ + " +type=crs");  // an ellipsoid is a system's, says PROJ
  PJ* ellipsoid = proj_get_ellipsoid(system.context, system.projection);
  double major = 1;
  double minor = 1;
  if (ellipsoid != nullptr) {
    proj_ellipsoid_get_parameters(system.context, ellipsoid, &major, &minor, nullptr, nullptr);
  }
  proj_destroy(ellipsoid);
  return 1 - minor * minor / (major * major);
}

}  // namespace tidewise::ingest

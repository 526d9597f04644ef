#include "planner/route/route_places.h"

#include <cmath>

#include "env/file/time_reference.h"
#include "env/units/geographic_position.h"

namespace tidewise {

RoutePlaces::RoutePlaces(const EnvironmentReader& environment)
    : grid_(environment.info().grid), reference_(time_reference(environment)) {
  if (environment.info().coordinates != Coordinates::geographic) return;
  longitude_ = environment.read_longitude();
  latitude_ = environment.read_latitude();
  convergence_.emplace(grid_, longitude_, latitude_);
}

RoutePoint RoutePlaces::at(const PlanePoint& point, double time) const {
  return {point.x, point.y, place(point), time, instant(time)};
}

std::optional<GeographicPoint> RoutePlaces::place(const PlanePoint& point) const {
  if (longitude_.empty()) return {};
  const GeographicPoint there = to_globe(grid_, longitude_, latitude_, point);
  // A file may lack the places of some cells.
  if (!std::isfinite(there.longitude) || !std::isfinite(there.latitude)) return {};
  return there;
}

std::optional<double> RoutePlaces::instant(double time) const {
  if (!reference_) return {};
  return *reference_ + time;
}

std::optional<double> RoutePlaces::bearing(const PlanePoint& from, const PlanePoint& to) const {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  if (!convergence_ || (x == 0 && y == 0)) return {};
  const double found = true_bearing(std::atan2(y, x), convergence_->at(from.x, from.y));
  if (!std::isfinite(found)) return {};
  return found;
}

}  // namespace tidewise

#include "planner/route/route_places.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "env/file/time_reference.h"
#include "env/units/geographic_position.h"
#include "output/route/plane/cell_outlines.h"

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
  const GeographicPoint position = to_globe(grid_, longitude_, latitude_, point);
  // A file may lack the places of some cells.
  if (!std::isfinite(position.longitude) || !std::isfinite(position.latitude)) return {};
  return position;
}

std::optional<double> RoutePlaces::instant(double time) const {
  if (!reference_) return {};
  return *reference_ + time;
}

std::optional<double> RoutePlaces::bearing(const PlanePoint& from, const PlanePoint& to) const {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  if (!convergence_ || (x == 0 && y == 0)) return {};
  const double true_course = true_bearing(std::atan2(y, x), convergence_->at(from.x, from.y));
  if (!std::isfinite(true_course)) return {};
  return true_course;
}

namespace {

RouteObstacle::Ring ring_of(std::vector<PlanePoint> corners, const RoutePlaces& places) {
  RouteObstacle::Ring ring;
  for (const PlanePoint& corner : corners) {
    const auto place = places.place(corner);
    if (place) ring.places.push_back(*place);
  }
  if (ring.places.size() != corners.size()) ring.places.clear();
  ring.corners = std::move(corners);
  return ring;
}

std::vector<RouteObstacle> polygons_of(const Grid& grid, const std::vector<std::uint8_t>& marked,
                                       const RoutePlaces& places) {
  std::vector<RouteObstacle> obstacles;
  for (PlanePolygon& outline : outline_cells(grid, marked)) {
    RouteObstacle& obstacle = obstacles.emplace_back();
    obstacle.outer = ring_of(std::move(outline.outer), places);
    for (auto& hole : outline.holes) obstacle.holes.push_back(ring_of(std::move(hole), places));
  }
  return obstacles;
}

}  // namespace

std::vector<RouteObstacle> find_obstacles(const EnvironmentReader& environment, TimeLevel first,
                                          TimeLevel last, const RoutePlaces& places) {
  const EnvironmentInfo& info = environment.info();
  if (info.obstacles == Obstacles::none) return {};
  std::vector<std::uint8_t> always = environment.read_masked(first);
  if (info.obstacles == Obstacles::fixed) return polygons_of(info.grid, always, places);
  for (TimeLevel k(first.value + 1); k <= last; ++k.value) {
    const auto masked = environment.read_masked(k);
    for (std::size_t cell = 0; cell < always.size(); ++cell) {
      always[cell] = always[cell] != 0 && masked[cell] != 0 ? 1 : 0;
    }
  }
  std::vector<RouteObstacle> obstacles = polygons_of(info.grid, always, places);
  std::vector<std::uint8_t> moving;  // mask of the levels from `since` on
  TimeLevel since = first;
  const auto add_until = [&](TimeLevel end) {
    for (RouteObstacle& obstacle : polygons_of(info.grid, moving, places)) {
      obstacle.is_standing = false;
      obstacle.from = info.time.at(since);
      obstacle.to = info.time.at(end);
      obstacle.from_instant = places.instant(obstacle.from);
      obstacle.to_instant = places.instant(obstacle.to);
      obstacles.push_back(std::move(obstacle));
    }
  };
  for (TimeLevel k = first; k <= last; ++k.value) {
    auto masked = environment.read_masked(k);
    for (std::size_t cell = 0; cell < masked.size(); ++cell) {
      masked[cell] = masked[cell] != 0 && always[cell] == 0 ? 1 : 0;
    }
    if (k > first && masked != moving) {
      add_until(k);
      since = k;
    }
    moving = std::move(masked);
  }
  add_until(TimeLevel(last.value + 1));
  return obstacles;
}

}  // namespace tidewise

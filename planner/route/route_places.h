#pragma once

#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "env/units/meridian_convergence.h"
#include "output/route/route.h"

namespace tidewise {

/// Converts points of an environment's plane to longitude and latitude, and its times to dates.
class RoutePlaces {
 public:
  /// `environment` must outlive it. Errors: those of reading longitudes and latitudes.
  explicit RoutePlaces(const EnvironmentReader& environment);

  RoutePoint at(const PlanePoint& point, double time) const;
  /// nullopt if the environment has no longitudes.
  std::optional<GeographicPoint> place(const PlanePoint& point) const;
  /// [s since 1970] of a time of the environment; nothing where those have no date.
  std::optional<double> instant(double time) const;
  /// The true course of a leg where it begins [degrees]; nothing without longitudes, and for a leg
  /// of no length.
  std::optional<double> bearing(const PlanePoint& from, const PlanePoint& to) const;

 private:
  const Grid& grid_;
  std::vector<double> longitude_;  // (y, x); empty without
  std::vector<double> latitude_;
  std::optional<MeridianConvergence> convergence_;
  std::optional<double> reference_;
};

/// The closed cells of levels `first` to `last` as polygons: those that are closed at all of them
/// once, as standing; the others by the levels at which they are closed, levels of equal masks
/// together. A level counts until the next one, and steps look at both of their ends. Errors: those
/// of reading.
std::vector<RouteObstacle> find_obstacles(const EnvironmentReader& environment, TimeLevel first,
                                          TimeLevel last, const RoutePlaces& places);

}  // namespace tidewise

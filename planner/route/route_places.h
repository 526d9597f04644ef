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

  /// Returns a point with its longitude, latitude and date, where known.
  RoutePoint at(const PlanePoint& point, double time) const;
  /// Returns the longitude and latitude of a point; nullopt if the environment has none.
  std::optional<GeographicPoint> place(const PlanePoint& point) const;
  /// Returns a time of the environment as a date [s since 1970]; nullopt if its times have no
  /// dates.
  std::optional<double> instant(double time) const;
  /// Returns the true course at the beginning of a leg [degrees]; nullopt without longitudes, or
  /// for a leg without length.
  std::optional<double> bearing(const PlanePoint& from, const PlanePoint& to) const;

 private:
  const Grid& grid_;
  std::vector<double> longitude_;  // (y, x); empty without degrees
  std::vector<double> latitude_;
  std::optional<MeridianConvergence> convergence_;
  std::optional<double> reference_;
};

/// Returns the closed cells of levels `first` to `last` as polygons. Cells that are closed at all
/// levels form standing obstacles. The others form obstacles with times, one for each interval of
/// levels with equal masks. A level counts until the next one. Errors: those of reading.
std::vector<RouteObstacle> find_obstacles(const EnvironmentReader& environment, TimeLevel first,
                                          TimeLevel last, const RoutePlaces& places);

}  // namespace tidewise

#pragma once

#include <optional>
#include <vector>

#include "env/environment_info.h"
#include "env/points.h"

namespace tidewise {

/// The point of the plane at a longitude and latitude [degrees]: the inverse of the bilinear field
/// through the cell centres' longitude and latitude, (y, x), extended half a cell beyond the outer
/// ones. Longitudes that differ by whole turns are the same. nullopt if the point lies in no cell.
std::optional<PlanePoint> to_plane(const Grid& grid, const std::vector<double>& longitude,
                                   const std::vector<double>& latitude, double point_longitude,
                                   double point_latitude);

/// True if numbers given as x and y might be degrees: valid degrees on Earth, and, if the plane is
/// not in metres, very small compared with its extent. In metres, the domain's degrees cover at
/// most a hundred millionth of its area, so coordinates there hardly ever mean metres.
bool could_be_degrees(const Grid& grid, Units units, double x, double y);

/// True if x and y, read as degrees, are in the domain, at another position than as x and y.
bool are_likely_degrees(const Grid& grid, Units units, const std::vector<double>& longitude,
                        const std::vector<double>& latitude, double x, double y);

/// to_plane() for many points, each close to the previous one. The search begins at the previous
/// point, not among all cells. Keeps references to the fields.
class PlaneFinder {
 public:
  PlaneFinder(const Grid& grid, const std::vector<double>& longitude,
              const std::vector<double>& latitude);

  /// Returns the point of the plane; as to_plane().
  std::optional<PlanePoint> find(double point_longitude, double point_latitude);

 private:
  const Grid& grid_;
  const std::vector<double>& longitude_;
  const std::vector<double>& latitude_;
  double south_;  // one cell beyond the southernmost centre
  double north_;  // one cell beyond the northernmost centre
  std::optional<PlanePoint> last_;
};

/// Longitude [degrees, −180 … 180] and latitude [degrees] of a point of the plane, by the bilinear
/// field that to_plane() inverts.
GeographicPoint to_globe(const Grid& grid, const std::vector<double>& longitude,
                         const std::vector<double>& latitude, const PlanePoint& point);

}  // namespace tidewise

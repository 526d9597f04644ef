#pragma once

#include <optional>
#include <vector>

#include "env/environment_info.h"
#include "env/points.h"

namespace tidewise {

/// The point of the plane at a longitude and latitude [degrees]: the inverse of the bilinear field
/// through the cell centres' longitude and latitude, (y, x), extended half a cell beyond the outer
/// ones. Longitudes that differ by whole turns are the same. Nothing when the point lies in no
/// cell.
std::optional<PlanePoint> to_plane(const Grid& grid, const std::vector<double>& longitude,
                                   const std::vector<double>& latitude, double point_longitude,
                                   double point_latitude);

/// Whether numbers given as x and y might be degrees: on Earth, and where the plane is not in
/// metres next to nothing beside its extent. In metres the domain's degrees are a patch of at most
/// a hundred millionth of it, so that whoever names a point there by both hardly ever means metres.
bool could_be_degrees(const Grid& grid, Units units, double x, double y);

/// Whether they are a longitude and latitude in the domain, of another place than as x and y.
bool are_likely_degrees(const Grid& grid, Units units, const std::vector<double>& longitude,
                        const std::vector<double>& latitude, double x, double y);

/// to_plane() of many points, each near the one before, which is then not looked for among all
/// cells. Borrows the fields.
class PlaneFinder {
 public:
  PlaneFinder(const Grid& grid, const std::vector<double>& longitude,
              const std::vector<double>& latitude);

  std::optional<PlanePoint> find(double point_longitude, double point_latitude);

 private:
  const Grid& grid_;
  const std::vector<double>& longitude_;
  const std::vector<double>& latitude_;
  double south_;  // a cell beyond the cells' centres
  double north_;
  std::optional<PlanePoint> last_;
};

/// Longitude [degrees, −180 … 180] and latitude [degrees] of a point of the plane: the bilinear
/// field itself, which to_plane() inverts.
GeographicPoint to_globe(const Grid& grid, const std::vector<double>& longitude,
                         const std::vector<double>& latitude, const PlanePoint& point);

}  // namespace tidewise

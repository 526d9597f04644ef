#pragma once

#include <array>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// The angle from true north to the plane's +y axis, clockwise [degrees, −180 … 180]: what turns an
/// angle in the plane into a bearing. It is found from the cell centres' longitude and latitude
/// alone, so it needs no projection library: the direction in which the longitude stays as it is,
/// from central differences between neighbouring centres (one-sided, of second order, at the rim).
/// The centres are taken as points of a sphere in space, where neither the date line nor a pole is
/// special; which ellipsoid the latitudes are of does not matter, as it moves no meridian.
///
/// Good to the square of a cell over the earth's radius: 0.001 degrees for cells of 25 km.
class MeridianConvergence {
 public:
  /// longitude, latitude: of the cell centres [degrees], (y, x). Requires two columns and rows.
  MeridianConvergence(const Grid& grid, const std::vector<double>& longitude,
                      const std::vector<double>& latitude);

  /// Of the cell centres, (y, x).
  std::vector<double> at_cells() const;
  /// At a point of the plane; outside the outermost centres at the nearest point between them.
  double at(double x, double y) const;

 private:
  using Vector = std::array<double, 3>;
  /// A cell centre on the unit sphere, and how that moves along x and y [a metre or 1].
  struct Place {
    Vector point;
    Vector along_x;
    Vector along_y;
  };
  static double convergence(const Place& place);

  Grid grid_;
  std::vector<Place> place_;  // (y, x)
};

/// The true bearing of a heading in the plane: degrees clockwise from true north, 0 ≤ b < 360.
/// heading: counter-clockwise from +x [rad]; convergence: of the point [degrees].
double true_bearing(double heading, double convergence);

}  // namespace tidewise

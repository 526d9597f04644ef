#pragma once

#include <array>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// The angle from true north to the plane's +y axis, clockwise [degrees, −180 … 180]. It converts
/// an angle in the plane into a bearing. It is computed only from the cell centres' longitude and
/// latitude, so it needs no projection library: north is the direction of constant longitude, from
/// central differences between neighbouring centres (one-sided, of second order, at the rim). The
/// centres are points of a sphere in space, where neither the date line nor a pole is special. The
/// ellipsoid of the latitudes does not matter, because it does not change meridians.
///
/// The error is about the square of cell size over earth radius: 0.001 degrees for cells of 25 km.
class MeridianConvergence {
 public:
  /// longitude, latitude: those of the cell centres [degrees], (y, x). Requires two columns and
  /// rows.
  MeridianConvergence(const Grid& grid, const std::vector<double>& longitude,
                      const std::vector<double>& latitude);

  /// The angles at the cell centres, (y, x).
  std::vector<double> at_cells() const;
  /// The angle at a point of the plane; beyond the outermost centres, at the nearest point between
  /// them.
  double at(double x, double y) const;

 private:
  using Vector = std::array<double, 3>;
  /// A cell centre on the unit sphere, and its derivatives along x and y [per metre or 1].
  struct Centre {
    Vector point;
    Vector along_x;
    Vector along_y;
  };
  static double convergence(const Centre& centre);

  Grid grid_;
  std::vector<Centre> centres_;  // (y, x)
};

/// The true bearing of a heading in the plane: degrees clockwise from true north, 0 ≤ b < 360.
/// heading: counter-clockwise from +x [rad]; convergence: that at the vehicle's point [degrees].
double true_bearing(double heading, double convergence);

}  // namespace tidewise

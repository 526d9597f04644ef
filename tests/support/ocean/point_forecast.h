#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "env/import/grid/vector3.h"
#include "support/ocean/netcdf_fixture.h"

namespace tidewise::test {

/// A forecast on a curvilinear grid. Its flow is given eastward and northward; the components in a
/// file follow from the analytic directions of the grid.
struct PointForecast {
  struct Velocity {
    double east = 0;   ///< [m/s]
    double north = 0;  ///< [m/s]
  };
  /// Rows and columns may be fractional, between points.
  using Place = std::function<GeographicPoint(double row, double column)>;
  using Flow = std::function<Velocity(GeographicPoint place, double hour)>;

  std::size_t rows = 40;
  std::size_t columns = 50;
  Place place;
  /// Unit vector in which columns increase at a place; rows increase to its left.
  std::function<ingest::Vector3(GeographicPoint place)> column_direction;
  Flow flow = smooth_flow;
  std::vector<double> hour{0, 6};

  static Velocity smooth_flow(GeographicPoint place, double hour);

  /// Returns the velocity along increasing columns (as `east`) and rows (as `north`).
  Velocity along_grid(GeographicPoint place, double hour) const;

  /// Return the longitudes and latitudes, (row, column), of points shifted by fractions of a grid
  /// step.
  std::vector<double> longitudes(double row_shift = 0, double column_shift = 0) const;
  std::vector<double> latitudes(double row_shift = 0, double column_shift = 0) const;
  enum class Component { along_columns, along_rows, east, north };
  /// Returns a component of the flow [m/s], (time, row, column).
  std::vector<double> values(Component component, double row_shift = 0,
                             double column_shift = 0) const;
};

/// Returns a rotated-pole grid with this pole. Points are `step` degrees apart, around longitude
/// and latitude 0 of the rotated globe.
PointForecast turned_globe(GeographicPoint pole, double step);

}  // namespace tidewise::test

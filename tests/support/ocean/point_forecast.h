#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "env/import/grid/vector3.h"
#include "support/ocean/netcdf_fixture.h"

namespace tidewise::test {

/// A forecast on points that each have a place of their own. One flow is given eastward and
/// northward; what a file holds of it is worked out from the analytic directions of the grid.
struct PointForecast {
  struct Velocity {
    double east = 0;   ///< [m/s]
    double north = 0;  ///< [m/s]
  };
  /// Places and flow take rows and columns that may lie between points.
  using Place = std::function<GeographicPoint(double row, double column)>;
  using Flow = std::function<Velocity(GeographicPoint place, double hour)>;

  std::size_t rows = 40;
  std::size_t columns = 50;
  Place place;
  /// The unit vector along which columns grow at a place; rows grow to its left.
  std::function<ingest::Vector3(GeographicPoint place)> column_direction;
  Flow flow = smooth_flow;
  std::vector<double> hour{0, 6};

  static Velocity smooth_flow(GeographicPoint place, double hour);

  /// The flow along the grid's columns and rows.
  Velocity along_grid(GeographicPoint place, double hour) const;

  /// (row, column) of longitudes, or latitudes, of points shifted by parts of a step.
  std::vector<double> longitudes(double row_shift = 0, double column_shift = 0) const;
  std::vector<double> latitudes(double row_shift = 0, double column_shift = 0) const;
  enum class Component { along_columns, along_rows, east, north };
  /// (time, row, column)
  std::vector<double> values(Component component, double row_shift = 0,
                             double column_shift = 0) const;
};

/// A grid of a turned globe: its own equator and meridians are those of a pole elsewhere. Points
/// lie `step` degrees apart around the turned longitude and latitude 0, 0.
PointForecast turned_globe(GeographicPoint pole, double step);

}  // namespace tidewise::test

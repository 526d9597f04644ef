#pragma once

#include <algorithm>
#include <limits>

namespace tidewise {

/// A point of the grid's plane [m or 1].
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// The smallest box around all included points; inverted until the first one.
struct PlaneBox {
  double west = std::numeric_limits<double>::max();
  double south = std::numeric_limits<double>::max();
  double east = std::numeric_limits<double>::lowest();
  double north = std::numeric_limits<double>::lowest();

  /// Extends the box by a point.
  void include(PlanePoint point) {
    west = std::min(west, point.x);
    east = std::max(east, point.x);
    south = std::min(south, point.y);
    north = std::max(north, point.y);
  }
};

/// A point of the globe [degrees].
struct GeographicPoint {
  double longitude = 0;
  double latitude = 0;
};

}  // namespace tidewise

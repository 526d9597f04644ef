#pragma once

namespace tidewise {

/// A point of the grid's plane [m or 1].
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// A point of the globe [degrees].
struct GeographicPoint {
  double longitude = 0;
  double latitude = 0;
};

}  // namespace tidewise

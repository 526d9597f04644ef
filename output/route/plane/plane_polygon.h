#pragma once

#include <vector>

#include "env/points.h"

namespace tidewise {

/// A polygon of the plane: corners of rings, the last joined to the first.
struct PlanePolygon {
  std::vector<PlanePoint> outer;               ///< counter-clockwise
  std::vector<std::vector<PlanePoint>> holes;  ///< clockwise
};

}  // namespace tidewise

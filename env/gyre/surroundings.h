#pragma once

#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise::gyre {

/// A square that comes in through the western wall and moves east.
struct MovingSquare {
  double entry = 0;     ///< [levels] when its eastern edge is at the western wall; may be before 0
  double south = 0.35;  ///< its southern edge [basin sides]
  double speed = 0.01;  ///< eastwards [basin sides a level]
};

/// Where the vehicle may not go, and the sun. Lengths are in basin sides and rates in basin sides a
/// level, so that grids of all sizes have the same.
struct Surroundings {
  double obstacle_side = 0.1;
  std::vector<MovingSquare> obstacles{{-20, 0.35, 0.005}, {20, 0.44, 0.005}};
  double full_sun = 500;        ///< radiation without cloud [W m-2]
  double cloud_centre = 0.95;   ///< at level 0, from the west
  double cloud_speed = 0.0025;  ///< westwards
  double cloud_dimming = 0.9;   ///< share of the sun that its middle takes
};

/// 1 in the cells that the squares close at level k, 0 elsewhere, (y, x). A square covers whole
/// cells: its edges are moved to the nearest, and what lies beyond a wall is cut off.
void fill_obstacles(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<std::uint8_t> masked);

/// Radiation at level k [W m-2], (y, x): the full sun but for a smooth cloud (Gaussian; 0.3 wide
/// and 0.8 long) that moves west, so that the sun stays longest in the west.
void fill_radiation(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<float> radiation);

}  // namespace tidewise::gyre

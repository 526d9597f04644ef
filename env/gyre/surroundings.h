#pragma once

#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise::gyre {

/// A square that enters through the western wall and moves east.
struct MovingSquare {
  double entry = 0;     ///< level at which its eastern edge is at the western wall; may be negative
  double south = 0.35;  ///< its southern edge [basin sides]
  double speed = 0.01;  ///< eastwards [basin sides per level]
};

/// Obstacles and radiation. Lengths are in basin sides and rates in basin sides per level, so that
/// grids of all sizes have the same surroundings.
struct Surroundings {
  double obstacle_side = 0.1;
  std::vector<MovingSquare> obstacles{{-20, 0.35, 0.005}, {20, 0.44, 0.005}};
  double full_sun = 500;        ///< radiation without cloud [W m-2]
  double cloud_centre = 0.95;   ///< distance from the west at level 0
  double cloud_speed = 0.0025;  ///< westwards
  double cloud_dimming = 0.9;   ///< share of the radiation that the cloud's centre absorbs
};

/// Sets `masked`, (y, x), to 1 in the cells that the squares close at level k, and to 0 elsewhere.
/// A square covers whole cells: its edges are rounded to cell edges and clipped at the walls.
void fill_obstacles(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<std::uint8_t> masked);

/// Sets `radiation` at level k [W m-2], (y, x): full sun except under a smooth cloud (Gaussian; 0.3
/// wide and 0.8 long) that moves west, so that the west has the sun for longest.
void fill_radiation(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<float> radiation);

}  // namespace tidewise::gyre

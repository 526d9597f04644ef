#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// Data by which a policy on board converts longitude and latitude to its plane
/// (docs/fly/onboard.md): the conformal map around a centre, at every n-th cell centre.
struct PositionNodes {
  double centre_longitude = 0;  ///< [degrees]
  double sin_centre = 0;        ///< sine of its conformal latitude
  double cos_centre = 1;
  std::uint32_t step = 0;  ///< [cells]
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<float> map;  ///< (row, column, 2): p and q [earth radii]
  // Greatest error over all cell centres, as the vehicle will compute them.
  double position_error = 0;  ///< [cells]
  double bearing_error = 0;   ///< [degrees], in addition to that of MeridianConvergence
};

/// Returns the fewest nodes with errors of at most 0.002 cells and 0.1° at every cell centre: four
/// for the planes of `env import`, which use the same map. longitude, latitude: of the cell centres
/// [degrees], (y, x). Requires at least two columns and two rows. Errors: InputError, without a
/// file's name, for a grid with NaN, one that spans more of the globe than a map can hold, and one
/// so uneven that positions are off by more than 0.01 cells even with a node at each cell.
PositionNodes find_position_nodes(const Grid& grid, const std::vector<double>& longitude,
                                  const std::vector<double>& latitude);

}  // namespace tidewise

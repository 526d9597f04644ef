#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// Plane of the grid with 1 in these cells, (y, x).
std::vector<std::uint8_t> place_plane(const Grid& grid, const std::vector<std::int32_t>& cells);
/// Cells that a plane of place_plane() marks, ascending.
std::vector<std::int32_t> place_cells(const std::vector<std::uint8_t>& plane);

/// Circles that cover the cells of a target, for distances to a target without a disc. Cells that
/// fill one compact area get one circle. Others are divided among at most max_target_circles
/// circles, each around neighbouring cells. target: (y, x), with at least one cell.
TargetDisc target_circles(const Grid& grid, const std::vector<std::uint8_t>& target);

/// Joins the discs of several target points into one target. All have the same radius. Requires at
/// most max_target_circles.
TargetDisc join_discs(const std::vector<TargetDisc>& discs);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// (y, x), 1 in these cells.
std::vector<std::uint8_t> place_plane(const Grid& grid, const std::vector<std::int32_t>& cells);
/// The cells that such a plane marks, ascending.
std::vector<std::int32_t> place_cells(const std::vector<std::uint8_t>& plane);

/// A target without a disc, for distances to it: circles that hold its cells between them. Cells
/// that fill one compact area get one circle; others are divided among as many as there may be,
/// each around a part of them that lies together. target: (y, x). Requires a cell in it.
TargetDisc target_circles(const Grid& grid, const std::vector<std::uint8_t>& target);

/// Discs of one radius, no more than most_target_circles, each of a point, as one target.
TargetDisc join_discs(const std::vector<TargetDisc>& discs);

}  // namespace tidewise

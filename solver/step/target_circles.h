#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// A target without a disc, for distances to it: circles that hold its cells between them. Cells
/// that fill one compact area get one circle; others are divided among as many as there may be,
/// each around a part of them that lies together. target: (y, x). Requires a cell in it.
TargetDisc target_circles(const Grid& grid, const std::vector<std::uint8_t>& target);

/// The same of points, no more than most_other_circles + 1: a circle of this radius around each
/// [columns, rows; m or 1].
TargetDisc target_circles(const std::vector<TargetCircle>& points);

}  // namespace tidewise

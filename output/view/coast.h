#pragma once

#include <vector>

#include "env/grid.h"
#include "env/points.h"
#include "output/view/run_view.h"

namespace tidewise {

/// The lines of the world's coast (coastline/CREDIT.md) that lie in a grid of the plane, cut at its
/// border and without what would not be seen there. Errors: RunError where the program is damaged.
std::vector<std::vector<PlanePoint>> coast_in(const Grid& grid, const GlobeView& globe);

}  // namespace tidewise

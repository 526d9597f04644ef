#pragma once

#include "env/grid.h"
#include "output/view/run_view.h"

namespace tidewise {

/// Coastline, depth contours and names (natural_earth/CREDIT.md) that lie in a grid of the plane
/// and around it. Lines are cut at its border and thinned to what is visible there. Errors:
/// RunError if the program is damaged.
NaturalEarthView natural_earth_in(const Grid& grid, const GlobeView& globe);

}  // namespace tidewise

#pragma once

#include <vector>

#include "env/import/grid/point_grid.h"
#include "env/import/grid/stencil.h"

namespace tidewise::ingest {

/// Finds, for each target, the four points of `grid` around it and its bilinear position between
/// them. longitude, latitude: those of the targets [degrees].
///
/// Targets and points are projected to a stereographic plane around the targets' middle, which has
/// no seam and no pole. There the quadrilaterals of neighbouring points are searched by bins. The
/// first and last columns of a grid around the globe are neighbours. If quadrilaterals overlap, the
/// first one is used. Targets must be on the half of the Earth around their middle.
std::vector<Stencil> search_quads(const PointGrid& grid, const std::vector<double>& longitude,
                                  const std::vector<double>& latitude);

}  // namespace tidewise::ingest

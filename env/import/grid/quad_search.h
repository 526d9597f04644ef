#pragma once

#include <vector>

#include "env/import/grid/point_grid.h"
#include "env/import/grid/stencil.h"

namespace tidewise::ingest {

/// For each target the four points of `grid` around it, and its bilinear place between them.
///
/// Targets and points are laid on one stereographic plane around the targets' middle, which has no
/// seam and no pole; there the quadrilaterals of neighbouring points are searched by bins. The
/// first and last columns of a grid around the globe are neighbours. Of quadrilaterals that overlap
/// the first is taken. Targets must be on the half of the Earth around their middle.
std::vector<Stencil> search_quads(const PointGrid& grid, const std::vector<double>& longitude,
                                  const std::vector<double>& latitude);

}  // namespace tidewise::ingest

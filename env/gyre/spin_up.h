#pragma once

#include "base/progress.h"
#include "env/gyre/gyre_solver.h"

namespace tidewise {

/// The gyre from rest, by the wind, until `duration` (units L/U). Most of it on coarser grids, whose
/// steps are longer and cheaper: a quarter of the cells along each side, then half, then all for the
/// last stretch, so long as the coarser still resolves the western boundary layer
/// (β Re)^(−1/3). A small lasting asymmetry is given at rest, without which the flow would stay
/// symmetric about the middle for ever. The result does not depend on the number of threads.
/// Errors: RunError when the flow grows without bound.
VelocityField spin_up(const StaggeredGrid& grid, const GyreNumbers& numbers, double duration,
                      Progress& progress);

/// The same flow on another grid, by cubic interpolation of the stream function: free of divergence,
/// no flow through the walls.
VelocityField regridded(const VelocityField& velocity, const StaggeredGrid& grid);

}  // namespace tidewise

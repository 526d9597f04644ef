#pragma once

#include <vector>

#include "base/progress.h"
#include "env/gyre/flow/solver.h"

namespace tidewise::gyre {

/// An eddy that leaves the run-away behind: with 1 the flow takes t = 2.5 to leave it at Re = 50,
/// with 3 less than 1.6 (docs/theory/gyre.md).
inline constexpr double strong_first_eddy = 3;

/// A stretch of the spin-up on one grid.
struct SpinUpStage {
  StaggeredGrid grid;
  double duration = 0;  ///< [L/U]
};

/// The western boundary layer's scale, (β Re)^(−1/3) [L]: the viscous one (Munk 1950).
double western_layer(const DimensionlessNumbers& numbers);

/// How a spin-up of `duration` that ends on `grid` goes: most of it on coarser grids, whose steps
/// are longer and cheaper. Half of the time with a quarter of the cells along each side, three
/// tenths with half, the last fifth with all; a coarser grid takes part where its cells are no
/// wider than western_layer(), else the next finer one has its
/// time too. A fifth is enough for a finer grid to make the flow its own so long as it is several
/// times the layer's own time, Re (β Re)^(−2/3), and that which the gravest Rossby wave needs for a
/// crossing.
std::vector<SpinUpStage> spin_up_stages(const StaggeredGrid& grid,
                                        const DimensionlessNumbers& numbers, double duration);

/// The gyre from an eddy by the wind, through `stages` in their order, each on a grid of its own;
/// the flow at the end of the last. Steps are the longest stable ones. The result does not depend
/// on the number of threads.
///
/// The eddy, ψ = first_eddy (a/β) sin²(πx) sin(πy), where 1 is the Sverdrup flow's greatest ψ, is
/// the same on both sides of the middle latitude. Without one the flow would keep its mirror
/// symmetry for ever. The equations have several regimes at one Reynolds number, and the eddy
/// chooses among them (docs/theory/gyre.md): with a weak one both gyres grow inertial and nearly
/// alike, a jet between them; with a strong one the symmetry is gone before that, and the flow
/// keeps a far smaller energy, in eddies. At Re = 20 and less the flow forgets it.
///
/// Errors: InputError for numbers that are not positive (f₀ may be any), for a stage of fewer than
/// 3 × 3 cells or of no positive duration, for an eddy that is not finite; RunError when the flow
/// is no longer finite.
VelocityField spin_up(const std::vector<SpinUpStage>& stages, const DimensionlessNumbers& numbers,
                      Progress& progress, double first_eddy = strong_first_eddy);

/// The same by spin_up_stages().
VelocityField spin_up(const StaggeredGrid& grid, const DimensionlessNumbers& numbers,
                      double duration, Progress& progress, double first_eddy = strong_first_eddy);

/// The same flow on another grid, by cubic interpolation of the stream function (Lagrange, through
/// four corners along each axis): free of divergence, no flow through the walls. A velocity of the
/// new grid is off by the third power of the old one's spacing.
/// Errors: InputError for a velocity on fewer than 3 × 3 cells.
VelocityField regridded(const VelocityField& velocity, const StaggeredGrid& grid);

}  // namespace tidewise::gyre

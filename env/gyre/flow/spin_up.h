#pragma once

#include <vector>

#include "base/progress.h"
#include "env/gyre/flow/solver.h"

namespace tidewise::gyre {

/// Strength of an initial eddy that avoids the run-away regime: with 1 the flow leaves it after t =
/// 2.5 at Re = 50, with 3 before 1.6 (docs/theory/gyre.md).
inline constexpr double strong_first_eddy = 3;

/// An interval of the spin-up on one grid.
struct SpinUpStage {
  StaggeredGrid grid;
  double duration = 0;  ///< [L/U]
};

/// The western boundary layer's scale, (β Re)^(−1/3) [L]: the viscous one (Munk 1950).
double western_layer(const DimensionlessNumbers& numbers);

/// The stages of a spin-up of `duration` that ends on `grid`. Most of it is on coarser grids, whose
/// steps are longer and cheaper: half of the time with a quarter of the cells along each side,
/// three tenths with half, the last fifth with all. A coarser grid is used only if its cells are no
/// wider than western_layer(); otherwise its time is added to that of the next finer one. A fifth
/// is enough for the flow to adapt to the finer grid if it is several times the layer's time scale,
/// Re (β Re)^(−2/3), and the time in which the gravest Rossby wave crosses the basin.
std::vector<SpinUpStage> spin_up_stages(const StaggeredGrid& grid,
                                        const DimensionlessNumbers& numbers, double duration);

/// Computes the gyre that the wind drives from an initial eddy, through `stages` in order, each on
/// its own grid, and returns the flow at the end. Steps are the longest stable ones. The result
/// does not depend on the number of threads.
///
/// The eddy, ψ = first_eddy (a/β) sin²(πx) sin(πy), where 1 is the Sverdrup flow's greatest ψ, has
/// the same sign on both sides of the middle latitude. Without it the flow would keep its mirror
/// symmetry for ever. The equations have several regimes at one Reynolds number, and the eddy
/// selects one (docs/theory/gyre.md). With a weak eddy both gyres become inertial and nearly
/// symmetric, with a jet between them. With a strong one the symmetry breaks before that, and the
/// flow keeps a far smaller energy, in eddies. At Re ≤ 20 the flow forgets the eddy.
///
/// Errors: InputError for numbers that are not positive (f₀ may be any), for a stage of fewer than
/// 3 × 3 cells or without positive duration, and for an eddy that is not finite; RunError if the
/// flow becomes infinite.
VelocityField spin_up(const std::vector<SpinUpStage>& stages, const DimensionlessNumbers& numbers,
                      Progress& progress, double first_eddy = strong_first_eddy);

/// Computes the spin-up through spin_up_stages().
VelocityField spin_up(const StaggeredGrid& grid, const DimensionlessNumbers& numbers,
                      double duration, Progress& progress, double first_eddy = strong_first_eddy);

/// A flow interpolated to another grid, by cubic interpolation of the stream function (Lagrange,
/// through four corners along each axis): free of divergence, no flow through the walls. The error
/// of a velocity is of the third order in the old grid's spacing. Errors: InputError for a velocity
/// on fewer than 3 × 3 cells.
VelocityField regridded(const VelocityField& velocity, const StaggeredGrid& grid);

}  // namespace tidewise::gyre

#pragma once

#include <vector>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// ψ at the corners of cells, (face of y, face of x): u = −∂ψ/∂y, v = ∂ψ/∂x by differences, so that
/// the divergence is 0 to round-off. With ψ constant along the walls no flow crosses them; the
/// faces there are set to 0.
VelocityField velocity_of(const StaggeredGrid& grid, const std::vector<double>& stream_function);

/// The other way, for a velocity free of divergence: ψ is 0 on the walls.
std::vector<double> stream_function_of(const VelocityField& velocity);

/// Corner (j, i) of ψ on `grid`, (face of y, face of x).
inline std::size_t corner(const StaggeredGrid& grid, int j, int i) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx + 1) +
         static_cast<std::size_t>(i);
}

}  // namespace tidewise::gyre

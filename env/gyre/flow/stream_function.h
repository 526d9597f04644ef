#pragma once

#include <vector>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// The velocity of a stream function ψ at the corners of cells, (face of y, face of x): u = −∂ψ/∂y,
/// v = ∂ψ/∂x by differences, so that the divergence is 0 to round-off. ψ must be constant along the
/// walls, whose faces are set to 0.
VelocityField velocity_of(const StaggeredGrid& grid, const std::vector<double>& stream_function);

/// The stream function of a velocity free of divergence; ψ is 0 on the walls.
std::vector<double> stream_function_of(const VelocityField& velocity);

/// Index of corner (j, i) of ψ on `grid`, (face of y, face of x).
inline std::size_t corner(const StaggeredGrid& grid, int j, int i) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx + 1) +
         static_cast<std::size_t>(i);
}

}  // namespace tidewise::gyre

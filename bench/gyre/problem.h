#pragma once

#include <cstdint>
#include <vector>

#include "env/gyre/flow/solver.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise {

/// A small stochastic gyre, to measure and to compare by: what is known of its beginning.
struct GyreProblem {
  std::int32_t cells = 32;  ///< a side of the grid
  gyre::DimensionlessNumbers numbers;
  double spin_up = 0.5;    ///< [L/U] from rest
  double deviation = 0.1;  ///< of the perturbed velocity against the mean's, both in norm
  std::int32_t mode_count = 8;
};

/// The wind's flow from rest after the problem's spin-up, with a little asymmetry at rest.
gyre::VelocityField spun_up_gyre(const GyreProblem& problem);

/// `mean` with orthonormal modes, waves that keep away from the walls, each of 0.85 times the
/// deviation of the one before, and independent Gaussian coefficients. Their sample means are part
/// of the state's mean, so that its realizations are independent draws of flows about `mean`. What
/// the modes are does not depend on the seed.
gyre::OrthogonalState perturbed_gyre(const GyreProblem& problem, const gyre::VelocityField& mean,
                                     std::size_t realizations, std::uint64_t seed);

}  // namespace tidewise

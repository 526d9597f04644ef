#pragma once

#include <cstdint>
#include <vector>

#include "env/gyre/flow/solver.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise {

/// Parameters of a small stochastic gyre for benchmarks.
struct GyreProblem {
  std::int32_t cells = 32;  ///< on each side of the grid
  gyre::DimensionlessNumbers numbers;
  double spin_up = 0.5;    ///< [L/U] from rest
  double deviation = 0.1;  ///< norm of the perturbation relative to that of the mean velocity
  std::int32_t mode_count = 8;
};

/// The wind-driven flow after the spin-up, from a slightly asymmetric state at rest.
gyre::VelocityField spun_up_gyre(const GyreProblem& problem);

/// A state with mean `mean` and orthonormal modes: waves that vanish at the walls, each with 0.85
/// times the deviation of the one before, and independent Gaussian coefficients. The coefficients'
/// sample means are added to the state's mean, so that its realizations are independent draws
/// around `mean`. The modes do not depend on the seed.
gyre::OrthogonalState perturbed_gyre(const GyreProblem& problem, const gyre::VelocityField& mean,
                                     std::size_t realizations, std::uint64_t seed);

}  // namespace tidewise

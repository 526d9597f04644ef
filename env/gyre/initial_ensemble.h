#pragma once

#include <cstdint>

#include "base/progress.h"
#include "env/gyre/orthogonal_state.h"

namespace tidewise {

/// What is not known of the gyre's state at the beginning.
struct InitialUncertainty {
  /// Gaussian perturbations of the stream function with covariance exp(−d²/(2 length²)), d the
  /// distance, tapered to the walls' conditions.
  double correlation_length = 0.1;  ///< in basin sides
  /// Standard deviation of the perturbed velocity, root mean square over the basin, against the
  /// greatest speed of the mean.
  double relative_deviation = 0.1;
  int perturbation_count = 400;  ///< drawn, then reduced to the modes by an SVD
  std::uint64_t seed = 1;
};

/// `mean` with `mode_count` orthonormal modes, the leading ones of an SVD of random perturbations,
/// and coefficients drawn from the SVD's Gaussian: `realization_count` of them, mean 0 to round-off.
/// The same seed gives the same state for any number of threads; the perturbations are functions on
/// the unit square, so the same on every grid but for its resolution.
/// Errors: InputError when the perturbations have fewer modes to give than are asked for.
OrthogonalState make_initial_ensemble(const VelocityField& mean,
                                      const InitialUncertainty& uncertainty, std::size_t mode_count,
                                      std::size_t realization_count);

}  // namespace tidewise

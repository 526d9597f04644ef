#pragma once

#include <cstddef>
#include <cstdint>

#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// What is not known of the gyre's state at the beginning.
struct InitialUncertainty {
  /// Gaussian perturbations of the stream function with covariance exp(−d²/(2 length²)), d the
  /// distance, shaped to the walls' conditions (env/gyre/modes/random_stream_function.h).
  double correlation_length = 0.2;  ///< in basin sides, 0.01 to 0.5
  /// √(Σ σ²), σ² the variances of the modes that are kept, over the greatest speed of the mean
  /// (greatest_speed()). The basin's area is 1, so √(Σ σ²) is the standard deviation of the
  /// velocity (both components together), root mean square over the basin.
  double relative_deviation = 0.15;
  int perturbation_count = 400;  ///< drawn, then reduced to the modes by an SVD
  std::uint64_t seed = 1;
};

/// `mean` with `mode_count` orthonormal modes, the leading ones of an SVD of random perturbations,
/// and coefficients drawn from the SVD's Gaussian, N(0, σ²) each: `realization_count` of them, less
/// their sample mean, so that it is 0 to round-off; their sample variances and covariances scatter
/// as a sample's do. Each mode's greatest share among the perturbations is positive.
/// The same seed gives the same state for any number of threads. The perturbations are functions on
/// the unit square, so they are the same on every grid, and the modes but for resolution and sign.
/// The SVD is made on at most 100 cells a side (more where the correlation length asks for it:
/// eight cells); the modes are then put together on the grid itself and made orthonormal there.
/// Errors: InputError when the perturbations have fewer modes to give than are asked for, for a
/// deviation or a length that cannot be, for fewer than two realizations of modes; RunError when
/// the mean is at rest, or not finite.
OrthogonalState make_initial_ensemble(const VelocityField& mean,
                                      const InitialUncertainty& uncertainty, std::size_t mode_count,
                                      std::size_t realization_count);

}  // namespace tidewise::gyre

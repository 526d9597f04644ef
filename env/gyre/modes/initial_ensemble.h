#pragma once

#include <cstddef>
#include <cstdint>

#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// The uncertainty of the gyre's initial state.
struct InitialUncertainty {
  /// Gaussian perturbations of the stream function with covariance exp(−d²/(2 length²)), d the
  /// distance, shaped to the walls' conditions (env/gyre/modes/random_stream_function.h).
  double correlation_length = 0.2;  ///< in basin sides, 0.01 to 0.5
  /// √(Σ σ²) relative to the greatest speed of the mean (greatest_speed()), where σ² are the
  /// variances of the kept modes. The basin's area is 1, so √(Σ σ²) is the standard deviation of
  /// the velocity (both components together), root mean square over the basin.
  double relative_deviation = 0.15;
  int perturbation_count = 400;  ///< drawn, then reduced to the modes by an SVD
  std::uint64_t seed = 1;
};

/// The state with this mean, `mode_count` orthonormal modes, the leading ones of an SVD of random
/// perturbations, and `realization_count` coefficients drawn from the SVD's Gaussian, N(0, σ²)
/// each. Their sample mean is subtracted, so it is 0 to round-off; sample variances and covariances
/// have sampling errors. Each mode's sign makes its largest coefficient among the perturbations
/// positive. The same seed gives the same state for any number of threads. The perturbations are
/// functions on the unit square, so they are the same on every grid, and the modes are so up to
/// resolution and sign. The SVD uses at most 100 cells per side (more if needed for eight cells per
/// correlation length); then the modes are computed on the grid itself and made orthonormal there.
/// Errors: InputError if the perturbations have fewer modes than requested, for a deviation or a
/// length out of range, and for modes with fewer than two realizations; RunError if the mean is at
/// rest, or not finite.
OrthogonalState make_initial_ensemble(const VelocityField& mean,
                                      const InitialUncertainty& uncertainty, std::size_t mode_count,
                                      std::size_t realization_count);

}  // namespace tidewise::gyre

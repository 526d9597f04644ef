#pragma once

#include <cstddef>
#include <vector>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// A stochastic velocity in dynamically orthogonal form,
///   u(x; r) = mean(x) + Σ_m coefficient(m, r) · mode_m(x),
/// with modes orthonormal under inner_product(), and coefficients of mean 0 over the realizations,
/// which have equal weights. Without modes it is a deterministic flow.
struct OrthogonalState {
  VelocityField mean;
  std::vector<VelocityField> modes;  ///< (mode)
  std::vector<double> coefficient;   ///< (mode, realization)
  std::size_t realization_count = 0;

  std::size_t mode_count() const { return modes.size(); }
  double* coefficients_of(std::size_t mode) {
    return coefficient.data() + mode * realization_count;
  }
  const double* coefficients_of(std::size_t mode) const {
    return coefficient.data() + mode * realization_count;
  }
};

/// The velocity of one realization.
VelocityField realization_of(const OrthogonalState& state, std::size_t realization);

/// Greatest |⟨mode_m, mode_n⟩ − δ_mn|; 0 without modes.
double orthonormality_error(const OrthogonalState& state);

/// Makes the modes orthonormal again, by Cholesky decomposition of their Gram matrix, and
/// transforms the coefficients accordingly, so that realizations change only by round-off.
/// Subtracts the coefficients' means, which are round-off. Errors: RunError if the modes are
/// linearly dependent.
void orthonormalise(OrthogonalState& state);

/// Rotates modes and coefficients together so that the coefficients are uncorrelated, in order of
/// descending variance. Each mode keeps the sign of its largest component. Realizations stay the
/// same.
void turn_to_principal_axes(OrthogonalState& state);

}  // namespace tidewise::gyre

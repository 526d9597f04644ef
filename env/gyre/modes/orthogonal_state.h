#pragma once

#include <cstddef>
#include <vector>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// A stochastic velocity in dynamically orthogonal form,
///   u(x; r) = mean(x) + Σ_m coefficient(m, r) · mode_m(x),
/// modes orthonormal under inner_product(), coefficients of mean 0 over the realizations, which all
/// count alike. No modes: a certain flow.
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

/// Makes the modes orthonormal again, by Cholesky of their Gram matrix, and turns the coefficients
/// with them, so that every realization stays what it was but for round-off. Takes what round-off
/// left of the coefficients' means off.
/// Errors: RunError when the modes have become dependent.
void orthonormalise(OrthogonalState& state);

/// Turns modes and coefficients together so that the coefficients are uncorrelated, the greatest
/// variance first, each mode keeping the sign it had for the most part. Realizations stay as they
/// were.
void turn_to_principal_axes(OrthogonalState& state);

}  // namespace tidewise::gyre

#pragma once

#include <cstddef>
#include <vector>

#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// Sample moments of the coefficients: means over the realizations, both fully symmetric. The order
/// of the sums is fixed, so the number of threads does not change them.
struct CoefficientMoments {
  std::size_t mode_count = 0;
  std::vector<double> second;  ///< E[Y_m Y_n], (mode, mode)
  std::vector<double> third;   ///< E[Y_l Y_m Y_n], (mode, mode, mode)

  /// E[Y_m Y_n].
  double covariance(std::size_t m, std::size_t n) const { return second[m * mode_count + n]; }
  /// E[Y_l Y_m Y_n].
  double skewness(std::size_t l, std::size_t m, std::size_t n) const {
    return third[(l * mode_count + m) * mode_count + n];
  }
};

/// The moments of a state's coefficients.
CoefficientMoments moments_of(const OrthogonalState& state);

/// Principal variances below this share of the greatest are not inverted. The same limit as a share
/// of standard deviations is its square root.
inline constexpr double min_variance_share = 1e-6;

/// C⁻¹, (mode, mode), regularised. The inverse of a principal variance λ is
///   (1 − exp(−(λ/floor)²)) / λ,  floor = min_variance_share · the greatest,
/// which is 1/λ to the last bit from λ = 7 floor on, at most 0.64/floor, and 0 for a mode without
/// variance, which then only moves with the flow of the others. It is smooth, because a sharp limit
/// would disturb the modes when a variance passes it. Errors: RunError if the moments are not
/// finite, because the flow grew without bound.
std::vector<double> inverse_covariance(const CoefficientMoments& moments);

}  // namespace tidewise::gyre

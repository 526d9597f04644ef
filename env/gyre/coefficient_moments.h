#pragma once

#include <cstddef>
#include <vector>

#include "env/gyre/orthogonal_state.h"

namespace tidewise {

/// Sample moments of the coefficients over the realizations, divided by their number; both fully
/// symmetric. The order of the sums is fixed, so the number of threads does not change them.
struct CoefficientMoments {
  std::size_t mode_count = 0;
  std::vector<double> second;  ///< E[Y_m Y_n], (mode, mode)
  std::vector<double> third;   ///< E[Y_l Y_m Y_n], (mode, mode, mode)

  double covariance(std::size_t m, std::size_t n) const { return second[m * mode_count + n]; }
  double skewness(std::size_t l, std::size_t m, std::size_t n) const {
    return third[(l * mode_count + m) * mode_count + n];
  }
};

CoefficientMoments moments_of(const OrthogonalState& state);

}  // namespace tidewise

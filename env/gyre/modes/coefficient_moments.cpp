#include "env/gyre/modes/coefficient_moments.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "env/gyre/flow/fixed_order_sum.h"
#include "env/gyre/flow/small_work.h"

namespace tidewise::gyre {
namespace {

// [realizations] The coefficients of ten modes fit a first-level cache.
constexpr std::size_t moments_chunk = 512;

/// Adds a chunk's sums to the entries m ≤ n of `second` and l ≤ m ≤ n of `third`.
void add_chunk(const OrthogonalState& state, std::size_t begin, std::size_t count, double* second,
               double* third) {
  const std::size_t modes = state.mode_count();
  std::array<double, moments_chunk> product;
  for (std::size_t l = 0; l < modes; ++l) {
    const double* first = state.coefficients_of(l) + begin;
    for (std::size_t m = l; m < modes; ++m) {
      const double* other = state.coefficients_of(m) + begin;
      for (std::size_t r = 0; r < count; ++r) product[r] = first[r] * other[r];
      second[l * modes + m] = fixed_order_sum(product.data(), count);
      for (std::size_t n = m; n < modes; ++n) {
        third[(l * modes + m) * modes + n] =
            fixed_order_product(product.data(), state.coefficients_of(n) + begin, count);
      }
    }
  }
}

}  // namespace

CoefficientMoments moments_of(const OrthogonalState& state) {
  const std::size_t modes = state.mode_count();
  const std::size_t realizations = state.realization_count;
  const std::size_t square = modes * modes;
  const std::size_t per_chunk = square * (1 + modes);
  const std::size_t chunks = (realizations + moments_chunk - 1) / moments_chunk;
  std::vector<double> partial(chunks * per_chunk, 0.0);
#pragma omp parallel for schedule(static) if (realizations * square * modes > small_work)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t begin = chunk * moments_chunk;
    double* sums = partial.data() + chunk * per_chunk;
    add_chunk(state, begin, std::min(moments_chunk, realizations - begin), sums, sums + square);
  }

  std::vector<double> total(per_chunk, 0.0);
  for (std::size_t n = 0; n < partial.size(); ++n) total[n % per_chunk] += partial[n];
  for (double& value : total) value /= static_cast<double>(realizations);

  CoefficientMoments moments{modes, std::vector<double>(square),
                             std::vector<double>(square * modes)};
  for (std::size_t l = 0; l < modes; ++l) {
    for (std::size_t m = 0; m < modes; ++m) {
      moments.second[l * modes + m] = total[std::min(l, m) * modes + std::max(l, m)];
      for (std::size_t n = 0; n < modes; ++n) {
        std::array<std::size_t, 3> sorted{l, m, n};
        std::sort(sorted.begin(), sorted.end());
        moments.third[(l * modes + m) * modes + n] =
            total[square + (sorted[0] * modes + sorted[1]) * modes + sorted[2]];
      }
    }
  }
  return moments;
}

std::vector<double> inverse_covariance(const CoefficientMoments& moments) {
  const auto modes = static_cast<Eigen::Index>(moments.mode_count);
  std::vector<double> inverse(moments.second.size(), 0.0);
  if (modes == 0) return inverse;
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(moments.second.begin(), moments.second.end(), finite) ||
      !std::all_of(moments.third.begin(), moments.third.end(), finite)) {
    throw RunError("the gyre's coefficients grew without bound; take shorter steps, or less wind");
  }
  const Eigen::Map<const Eigen::MatrixXd> covariance(moments.second.data(), modes, modes);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> principal(covariance);
  const double floor = min_variance_share * principal.eigenvalues()[modes - 1];
  Eigen::VectorXd inverted = Eigen::VectorXd::Zero(modes);
  for (Eigen::Index k = 0; k < modes; ++k) {
    const double variance = principal.eigenvalues()[k];
    if (floor <= 0 || variance <= 0) continue;
    const double ratio = variance / floor;
    inverted[k] = -std::expm1(-ratio * ratio) / variance;
  }
  Eigen::Map<Eigen::MatrixXd>(inverse.data(), modes, modes) =
      principal.eigenvectors() * inverted.asDiagonal() * principal.eigenvectors().transpose();
  return inverse;
}

}  // namespace tidewise::gyre

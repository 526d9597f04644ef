#pragma once

#include <cstdint>
#include <vector>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// Gaussian random stream functions on the unit square, with variance 1 away from the walls and
/// covariance exp(−d²/(2 length²)), d the distance, that satisfy the walls' conditions. They are
/// sums of fixed functions with random weights, so they are the same on every grid:
///
///   ψ(x, y) = T(x) Σ_k Σ_l w_kl √(c_k c_l) φ_k(x) 2 sin(πly),  φ = 1, √2 cos(πkx), √2 sin(πkx)
///
/// with w standard normal and c_k ∝ exp(−(πk length)²/2), Σ c_k φ_k² = 1: the Fourier series of the
/// covariance, repeated with period 2 (its spectrum sampled, as in Dietrich and Newsam 1997, SIAM
/// J. Sci. Comput. 18; cut where it has fallen to e⁻¹⁸). Sines along y are the field less its
/// mirror images in the southern and northern walls: ψ = ∂²ψ/∂y² = 0, free slip. Along x the taper
/// T = (1 − exp(−x²/length²)) (1 − exp(−(1 − x)²/length²)) rises as the distance squared: ψ = ∂ψ/∂x
/// = 0, no slip. Within about a length of the walls the covariance therefore differs from that
/// formula.
class RandomStreamFunction {
 public:
  /// Errors: InputError for a length above ½ (the period of 2 becomes visible) or below 0.01 (there
  /// would be hundreds of thousands of waves).
  explicit RandomStreamFunction(double correlation_length);

  /// Number of weights w, (l, k), l varying slowest.
  std::size_t weight_count() const;
  /// The weights of draw number `draw` under `seed`: independent standard normals.
  std::vector<double> draw_weights(std::uint64_t seed, std::uint32_t draw) const;

  /// The sum with these weights at the corners of `grid`: (face of y, face of x).
  std::vector<double> at_corners(const StaggeredGrid& grid,
                                 const std::vector<double>& weights) const;

 private:
  int wave_count_ = 0;  ///< number of waves k of the period, along either axis
  double correlation_length_;
  std::vector<double> amplitude_;  ///< √c_k, k = 0 … wave_count
};

}  // namespace tidewise::gyre

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// Limits of the number of modes that represent an error field.
struct ErrorModeLimits {
  double share = 0.99;          ///< minimum share of the velocity's variance that the modes keep
  std::size_t max_count = 256;  ///< takes precedence over `share`
};

/// Modes of a divergence-free velocity error, fixed in time. With independent coefficients of unit
/// variance, both components have unit variance and the longitudinal correlation is
/// exp(−r²/(2L²)) at distance r. This is the velocity of a stream function with the covariance
/// L² exp(−r²/(2L²)), which is a product of functions of x and of y. The modes are products of the
/// eigenvectors of these one-dimensional covariances (Karhunen–Loève), in order of variance.
///
/// The stream function is multiplied with a taper, sin(d/L) at distance d < πL/2 from the coast and
/// 1 beyond. It is 0 on every corner of a land cell, so no error flow crosses a coast; islands have
/// the same value, so no error transport passes between two coasts. Along a coast the variance of
/// the parallel component stays 1. Velocities are normalised to a mean variance of 1 per component
/// where the taper is 1 (in all water if it is 1 nowhere).
///
/// Velocities at centres are means of those on opposite faces, which are differences of the stream
/// function between corners.
class ErrorModes {
 public:
  /// `mask`: (y, x), 0 open water, 1 land, 2 beyond the forecast (env/mask.h); land has a coast,
  /// the forecast's boundary is open. `length`: L [m or 1].
  /// Errors: InputError if L is below a cell or below 1/300 of the grid's longest side.
  ErrorModes(const Grid& grid, const std::vector<std::uint8_t>& mask, double length,
             const ErrorModeLimits& limits = {});

  /// Number of modes.
  std::size_t count() const { return pairs_.size(); }
  /// Share of the velocity's variance that the modes keep, disregarding coasts.
  double share_kept() const { return share_kept_; }

  /// Stream function of a mode at the corners, (y, x) of ny + 1 by nx + 1 [m2 s-1 for a velocity in
  /// m s-1].
  std::vector<double> stream_function(std::size_t mode) const;
  /// Fills the velocity of a mode along x and y at the centres of cells, (y, x).
  void fill_velocity(std::size_t mode, float* u, float* v) const;

 private:
  void select(const ErrorModeLimits& limits);
  void normalise(const std::vector<std::uint8_t>& mask);

  Grid grid_;
  std::vector<double> taper_;                               // (corner)
  std::vector<std::vector<double>> along_x_;                // (function, corner)
  std::vector<std::vector<double>> along_y_;                // (function, corner)
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // (mode) functions along x and y
  double share_kept_ = 0;
  double scale_ = 1;
};

}  // namespace tidewise

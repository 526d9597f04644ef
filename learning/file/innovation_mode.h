#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/level_fields.h"
#include "env/points.h"

namespace tidewise {

/// What an update left unexplained of the flow at a place; velocities [m s-1 or 1].
struct FlowResidual {
  PlanePoint at;
  double u = 0;
  double v = 0;
  double error_u = 0;  ///< standard deviations
  double error_v = 0;
};

/// A flow that could be the forecast's error, steady in time: the objective analysis of residuals
/// with the covariance of a stream function that is Gaussian in distance, exp(−r²/(2 length²)), so
/// that it has no divergence (Bretherton, Davis & Fandry 1976). Its strength is the residuals' own,
/// beyond their errors. It knows no coast: cells of land get 0, and the flow through one may not
/// be.
struct InnovationMode {
  std::vector<double> u;  ///< (y, x)
  std::vector<double> v;
};

/// `length`: > 0 [m or 1]. Requires a residual.
InnovationMode find_innovation_mode(const Grid& grid, const std::vector<FlowResidual>& residuals,
                                    double length);

/// Coefficients of a steady mode for each realization, of weighted mean 0 and variance 1, that have
/// as little as can be to do with the others: by chance alone few realizations would tie them
/// together. They are drawn in that half of the ensemble's directions in which the others vary
/// least; of more than 1500 realizations in all. others: the other modes' coefficients, each times
/// how strong its mode is, (row, realization); weight: of the realizations, sums to 1.
std::vector<float> draw_mode_coefficients(const std::vector<double>& others,
                                          const std::vector<double>& weight, std::uint64_t seed);

}  // namespace tidewise

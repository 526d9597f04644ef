#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/level_fields.h"
#include "env/points.h"

namespace tidewise {

/// Observed flow at a point minus the posterior mean flow; velocities [m s-1 or 1].
struct FlowResidual {
  PlanePoint at;
  double u = 0;
  double v = 0;
  double error_u = 0;  ///< standard deviations
  double error_v = 0;
};

/// A steady flow that may be the forecast's error: the objective analysis of residuals with a
/// stream function whose covariance is Gaussian in distance, exp(−r²/(2 length²)), so that it has
/// no divergence (Bretherton, Davis & Fandry 1976). Its strength is that of the residuals beyond
/// their errors. Coasts are disregarded: cells of land are set to 0, and the flow through a coast
/// may not be 0.
struct InnovationMode {
  std::vector<double> u;  ///< (y, x)
  std::vector<double> v;
};

/// Computes the mode. `length`: > 0 [m or 1]. Requires at least one residual.
InnovationMode find_innovation_mode(const Grid& grid, const std::vector<FlowResidual>& residuals,
                                    double length);

/// Draws coefficients of a steady mode for each realization, with weighted mean 0 and variance 1,
/// and as little correlation with the others as possible; with few realizations random draws would
/// correlate by chance. They are drawn in the half of the ensemble's directions in which the others
/// vary least; with more than 1500 realizations, in all directions. others: the other modes'
/// coefficients times the norms of their modes, (row, realization); weight: of the realizations,
/// sums to 1.
std::vector<float> draw_mode_coefficients(const std::vector<double>& others,
                                          const std::vector<double>& weight, std::uint64_t seed);

}  // namespace tidewise

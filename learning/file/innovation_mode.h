#pragma once

#include <cstddef>
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

}  // namespace tidewise

#include "learning/file/innovation_mode.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

/// Covariances of the velocities of ψ at two places, of variance 1 each. With u = −∂ψ/∂y and v =
/// ∂ψ/∂x they are the second derivatives of exp(−r²/(2 length²)), times length².
struct VelocityCovariance {
  double uu = 0;
  double uv = 0;
  double vv = 0;

  VelocityCovariance(PlanePoint a, PlanePoint b, double length) {
    const double x = (a.x - b.x) / length;
    const double y = (a.y - b.y) / length;
    const double bell = std::exp(-0.5 * (x * x + y * y));
    uu = (1 - y * y) * bell;
    uv = x * y * bell;
    vv = (1 - x * x) * bell;
  }
};

}  // namespace

InnovationMode find_innovation_mode(const Grid& grid, const std::vector<FlowResidual>& residuals,
                                    double length) {
  const auto count = static_cast<Eigen::Index>(residuals.size());
  double squares = 0;
  double errors = 0;
  for (const FlowResidual& one : residuals) {
    squares += one.u * one.u + one.v * one.v;
    errors += one.error_u * one.error_u + one.error_v * one.error_v;
  }
  const double components = 2 * static_cast<double>(count);
  // Never below a hundredth of what was seen, so that there is a mode.
  const double variance = std::max(squares - errors, 0.01 * squares) / components;
  Eigen::MatrixXd covariance(2 * count, 2 * count);
  Eigen::VectorXd seen(2 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const FlowResidual& a = residuals[static_cast<std::size_t>(i)];
    seen.segment<2>(2 * i) << a.u, a.v;
    for (Eigen::Index j = 0; j < count; ++j) {
      const VelocityCovariance one(a.at, residuals[static_cast<std::size_t>(j)].at, length);
      covariance.block<2, 2>(2 * i, 2 * j) << variance * one.uu, variance * one.uv,
          variance * one.uv, variance * one.vv;
    }
    covariance(2 * i, 2 * i) += a.error_u * a.error_u;
    covariance(2 * i + 1, 2 * i + 1) += a.error_v * a.error_v;
  }
  const Eigen::VectorXd weight = variance * covariance.ldlt().solve(seen);
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  InnovationMode mode{std::vector<double>(cells, 0.0), std::vector<double>(cells, 0.0)};
  for (std::size_t n = 0; n < cells; ++n) {
    const CellIndex cell(static_cast<std::int32_t>(n));
    const PlanePoint at{grid.x(grid.column(cell)), grid.y(grid.row(cell))};
    for (Eigen::Index i = 0; i < count; ++i) {
      const VelocityCovariance one(at, residuals[static_cast<std::size_t>(i)].at, length);
      mode.u[n] += one.uu * weight[2 * i] + one.uv * weight[2 * i + 1];
      mode.v[n] += one.uv * weight[2 * i] + one.vv * weight[2 * i + 1];
    }
  }
  return mode;
}

}  // namespace tidewise

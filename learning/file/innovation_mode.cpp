#include "learning/file/innovation_mode.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/standard_normal.h"

namespace tidewise {
namespace {

/// Covariances of the velocities of ψ at two points, with variance 1 each. With u = −∂ψ/∂y and v =
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
  for (const FlowResidual& residual : residuals) {
    squares += residual.u * residual.u + residual.v * residual.v;
    errors += residual.error_u * residual.error_u + residual.error_v * residual.error_v;
  }
  const double components = 2 * static_cast<double>(count);
  // At least a hundredth of the observed variance, so that there is a mode.
  const double variance = std::max(squares - errors, 0.01 * squares) / components;
  Eigen::MatrixXd covariance(2 * count, 2 * count);
  Eigen::VectorXd observed(2 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const FlowResidual& a = residuals[i];
    observed.segment<2>(2 * i) << a.u, a.v;
    for (Eigen::Index j = 0; j < count; ++j) {
      const VelocityCovariance c(a.at, residuals[j].at, length);
      covariance.block<2, 2>(2 * i, 2 * j) << variance * c.uu, variance * c.uv, variance * c.uv,
          variance * c.vv;
    }
    covariance(2 * i, 2 * i) += a.error_u * a.error_u;
    covariance(2 * i + 1, 2 * i + 1) += a.error_v * a.error_v;
  }
  const Eigen::VectorXd weight = variance * covariance.ldlt().solve(observed);
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  InnovationMode mode{std::vector<double>(cells, 0.0), std::vector<double>(cells, 0.0)};
  for (std::size_t n = 0; n < cells; ++n) {
    const CellIndex cell(static_cast<std::int32_t>(n));
    const PlanePoint at{grid.x(grid.column(cell)), grid.y(grid.row(cell))};
    for (Eigen::Index i = 0; i < count; ++i) {
      const VelocityCovariance c(at, residuals[i].at, length);
      mode.u[n] += c.uu * weight[2 * i] + c.uv * weight[2 * i + 1];
      mode.v[n] += c.uv * weight[2 * i] + c.vv * weight[2 * i + 1];
    }
  }
  return mode;
}

std::vector<float> draw_mode_coefficients(const std::vector<double>& others,
                                          const std::vector<double>& weight, std::uint64_t seed) {
  constexpr std::uint32_t mode_draws = 3;  // Philox's third counter
  constexpr Eigen::Index max_decomposed_size = 1500;
  const auto count = static_cast<Eigen::Index>(weight.size());
  const Philox random(seed);
  Eigen::VectorXd drawn(count);
  for (Eigen::Index r = 0; r < count; ++r) {
    drawn[r] = standard_normal(random, 0, static_cast<std::uint32_t>(r), mode_draws);
  }
  // Scaled by √weight, so that covariances are inner products.
  const Eigen::VectorXd root =
      Eigen::Map<const Eigen::VectorXd>(weight.data(), count).array().sqrt();
  Eigen::VectorXd chosen = drawn;
  if (count <= max_decomposed_size) {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index rows = static_cast<Eigen::Index>(others.size()) / count;
    Rows scaled = Eigen::Map<const Rows>(others.data(), rows, count);
    const Eigen::VectorXd mean = scaled * Eigen::Map<const Eigen::VectorXd>(weight.data(), count);
    scaled.colwise() -= mean;
    scaled.array().rowwise() *= root.transpose().array();
    Eigen::MatrixXd products = scaled.transpose() * scaled;
    // Makes the mean's direction the last one, along which draws must not have a component.
    products += (1 + 2 * products.trace()) * root * root.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
    const Eigen::Index directions = std::max<Eigen::Index>(1, (count - 1) / 2);
    chosen = solver.eigenvectors().leftCols(directions) * drawn.head(directions);
  }
  chosen -= root * root.dot(chosen);
  const double squares = root.array().pow(4).sum();
  const double scale = chosen.norm() / std::sqrt(1 - squares);
  std::vector<float> coefficient;
  for (Eigen::Index r = 0; r < count; ++r) {
    coefficient.push_back(root[r] > 0 ? static_cast<float>(chosen[r] / root[r] / scale) : 0.0F);
  }
  return coefficient;
}

}  // namespace tidewise

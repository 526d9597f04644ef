#include "env/forecast_error/error_modes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/mask.h"

namespace tidewise {
namespace {

constexpr double max_extent = 300;      // longest side of a grid [L]
constexpr double nodes_per_length = 3;  // of the points that factor the covariance along a side
constexpr double min_variance =
    1e-9;  // relative to the greatest; smaller eigenvalues are round-off

/// Functions f(a, x) at the corners along a side with Σ_a f(a, x) f(a, x′) = exp(−(x − x′)²/(2L²)),
/// in order of variance: eigenvectors at nodes on the side, extended to all points (Nyström).
std::vector<std::vector<double>> side_functions(std::int32_t cells, double spacing, double length) {
  const auto covariance = [&](double distance) {
    return std::exp(-distance * distance / (2 * length * length));
  };
  const double side = cells * spacing;
  const auto nodes = static_cast<Eigen::Index>(std::ceil(nodes_per_length * side / length)) + 1;
  const double node_spacing = side / static_cast<double>(nodes - 1);
  Eigen::MatrixXd at_nodes(nodes, nodes);
  for (Eigen::Index n = 0; n < nodes; ++n) {
    for (Eigen::Index m = 0; m < nodes; ++m) {
      at_nodes(n, m) = covariance(static_cast<double>(n - m) * node_spacing);
    }
  }
  Eigen::MatrixXd to_points(cells + 1, nodes);
  for (Eigen::Index i = 0; i <= cells; ++i) {
    for (Eigen::Index n = 0; n < nodes; ++n) {
      to_points(i, n) =
          covariance(static_cast<double>(i) * spacing - static_cast<double>(n) * node_spacing);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(at_nodes);
  const Eigen::VectorXd& values = solver.eigenvalues();  // ascending
  std::vector<std::vector<double>> functions;
  for (Eigen::Index a = nodes - 1; a >= 0; --a) {
    if (!(values(a) > min_variance * values(nodes - 1))) break;
    const Eigen::VectorXd function =
        to_points * solver.eigenvectors().col(a) / std::sqrt(values(a));
    functions.emplace_back(function.data(), function.data() + function.size());
  }
  return functions;
}

/// Means of a function's square and of its slope's square.
struct FunctionPower {
  double square = 0;
  double slope_square = 0;
};

std::vector<FunctionPower> powers_of(const std::vector<std::vector<double>>& functions,
                                     double spacing) {
  std::vector<FunctionPower> powers;
  for (const auto& function : functions) {
    FunctionPower power;
    const std::size_t cells = function.size() - 1;
    for (std::size_t i = 0; i < cells; ++i) {
      const double middle = (function[i] + function[i + 1]) / 2;
      const double slope = (function[i + 1] - function[i]) / spacing;
      power.square += middle * middle / static_cast<double>(cells);
      power.slope_square += slope * slope / static_cast<double>(cells);
    }
    powers.push_back(power);
  }
  return powers;
}

/// Distances from the corners, (ny + 1, nx + 1), to the nearest corner of land, at most `farthest`.
/// The result is exact: the search runs first along each row, then over the rows.
std::vector<double> distance_to_land(const Grid& grid, const std::vector<std::uint8_t>& mask,
                                     double farthest) {
  const std::int32_t columns = grid.nx + 1;
  const std::int32_t rows = grid.ny + 1;
  const auto corner = [&](std::int32_t i, std::int32_t j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(i);
  };
  std::vector<double> along_row(corner(0, rows), farthest);
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      if (mask[static_cast<std::size_t>(grid.cell(i, j).value)] != closed_by_obstacle) continue;
      for (const std::int32_t b : {j, j + 1}) {
        along_row[corner(i, b)] = 0;
        along_row[corner(i + 1, b)] = 0;
      }
    }
  }
  for (std::int32_t j = 0; j < rows; ++j) {
    for (std::int32_t i = 1; i < columns; ++i) {
      along_row[corner(i, j)] =
          std::min(along_row[corner(i, j)], along_row[corner(i - 1, j)] + grid.dx);
    }
    for (std::int32_t i = columns - 2; i >= 0; --i) {
      along_row[corner(i, j)] =
          std::min(along_row[corner(i, j)], along_row[corner(i + 1, j)] + grid.dx);
    }
  }
  const auto reach = static_cast<std::int32_t>(std::min<double>(rows, farthest / grid.dy + 1));
  std::vector<double> distance(along_row.size());
#pragma omp parallel for schedule(static)
  for (std::int32_t j = 0; j < rows; ++j) {
    for (std::int32_t i = 0; i < columns; ++i) {
      double min = farthest;
      for (std::int32_t b = std::max(0, j - reach); b <= std::min(rows - 1, j + reach); ++b) {
        min = std::min(min, std::hypot(along_row[corner(i, b)], (b - j) * grid.dy));
      }
      distance[corner(i, j)] = min;
    }
  }
  return distance;
}

}  // namespace

ErrorModes::ErrorModes(const Grid& grid, const std::vector<std::uint8_t>& mask, double length,
                       const ErrorModeLimits& limits)
    : grid_(grid) {
  const double min = std::max(std::max(grid.dx, grid.dy),
                              std::max(grid.nx * grid.dx, grid.ny * grid.dy) / max_extent);
  if (!(length >= min) || !std::isfinite(length)) {
    throw input_error(errors::error_length_too_short, length, min);
  }
  const double farthest = std::numbers::pi / 2 * length;
  taper_ = distance_to_land(grid, mask, farthest);
  for (double& value : taper_) value = value < farthest ? std::sin(value / length) : 1;
  along_x_ = side_functions(grid.nx, grid.dx, length);
  along_y_ = side_functions(grid.ny, grid.dy, length);
  select(limits);
  normalise(mask);
}

/// Keeps the pairs of functions whose velocity has the greatest variance.
void ErrorModes::select(const ErrorModeLimits& limits) {
  const auto x = powers_of(along_x_, grid_.dx);
  const auto y = powers_of(along_y_, grid_.dy);
  std::vector<double> variance;  // (function along x, function along y)
  for (const FunctionPower& a : x) {
    for (const FunctionPower& b : y) {
      variance.push_back(a.slope_square * b.square + a.square * b.slope_square);
    }
  }
  std::vector<std::size_t> order(variance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return variance[a] > variance[b]; });
  const double total = std::accumulate(variance.begin(), variance.end(), 0.0);
  double kept = 0;
  for (const std::size_t n : order) {
    if (pairs_.size() >= limits.max_count || kept >= limits.share * total) break;
    kept += variance[n];
    pairs_.emplace_back(n / y.size(), n % y.size());
  }
  share_kept_ = kept / total;
}

std::vector<double> ErrorModes::stream_function(std::size_t mode) const {
  const std::vector<double>& x = along_x_[pairs_[mode].first];
  const std::vector<double>& y = along_y_[pairs_[mode].second];
  std::vector<double> values(taper_.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = scale_ * taper_[n] * x[n % x.size()] * y[n / x.size()];
  }
  return values;
}

void ErrorModes::fill_velocity(std::size_t mode, float* u, float* v) const {
  const std::vector<double> corner = stream_function(mode);
  const auto columns = static_cast<std::size_t>(grid_.nx) + 1;
  for (std::int32_t j = 0; j < grid_.ny; ++j) {
    for (std::int32_t i = 0; i < grid_.nx; ++i) {
      const double* south = corner.data() + static_cast<std::size_t>(j) * columns + i;
      const double* north = south + columns;
      const auto cell = static_cast<std::size_t>(grid_.cell(i, j).value);
      u[cell] = static_cast<float>((south[0] + south[1] - north[0] - north[1]) / (2 * grid_.dy));
      v[cell] = static_cast<float>((south[1] + north[1] - south[0] - north[0]) / (2 * grid_.dx));
    }
  }
}

void ErrorModes::normalise(const std::vector<std::uint8_t>& mask) {
  const auto cells = static_cast<std::size_t>(grid_.cell_count());
  const auto columns = static_cast<std::size_t>(grid_.nx) + 1;
  std::vector<std::size_t> open;
  std::vector<std::size_t> far;  // cells of water whose corners all have a taper of 1
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (mask[cell] != 0) continue;
    open.push_back(cell);
    const double* south = taper_.data() + cell / grid_.nx * columns + cell % grid_.nx;
    const double* north = south + columns;
    if (std::min({south[0], south[1], north[0], north[1]}) >= 1) far.push_back(cell);
  }
  const std::vector<std::size_t>& chosen = far.empty() ? open : far;
  std::vector<double> variance(count(), 0.0);
#pragma omp parallel for schedule(static)
  for (std::size_t mode = 0; mode < count(); ++mode) {
    std::vector<float> u(cells);
    std::vector<float> v(cells);
    fill_velocity(mode, u.data(), v.data());
    for (const std::size_t cell : chosen) {
      variance[mode] += (double{u[cell]} * u[cell] + double{v[cell]} * v[cell]) / 2;
    }
  }
  const double sum = std::accumulate(variance.begin(), variance.end(), 0.0);
  if (sum > 0) scale_ = std::sqrt(static_cast<double>(chosen.size()) / sum);
}

}  // namespace tidewise

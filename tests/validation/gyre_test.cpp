// Compares the wind-driven gyre with known solutions, and with itself on other grids. Prints the
// tables that docs/theory/gyre.md summarises.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <utility>
#include <vector>

#include "env/gyre/flow/solver.h"
#include "env/gyre/flow/spin_up.h"
#include "support/campaign.h"
#include "support/ocean/gyre_flows.h"
#include "support/ocean/manufactured_gyre.h"

namespace tidewise {
namespace {

using test::flow_of;
using test::greatest;
using test::ManufacturedGyre;
using test::mirrored;
using test::relative_distance;
using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;

/// Advances a flow by `duration` in equal steps, none longer than the stable step of twice the
/// initial flow.
void run(const gyre::FlowSolver& gyre, gyre::VelocityField& velocity, double duration) {
  const double stable = gyre.stable_step(2 * gyre::greatest_courant_rate(velocity));
  const int steps = static_cast<int>(std::ceil(duration / stable));
  for (int n = 0; n < steps; ++n) gyre.advance(velocity, n * duration / steps, duration / steps);
}

/// Returns the grids of a table, without the finest one by day.
std::vector<int> table_grids(std::vector<int> cells) {
  if (!test::is_night()) cells.pop_back();
  return cells;
}

TEST(GyreManufactured, IsSecondOrderInSpace) {
  const gyre::DimensionlessNumbers numbers{20, 1e3, 1e3, 0};
  const ManufacturedGyre exact(numbers);
  std::printf("| cells | error, root mean square | order | error, greatest | order |\n");
  std::vector<double> mean_square;
  std::vector<double> worst;
  for (const int n : table_grids({16, 32, 64, 128})) {
    const gyre::StaggeredGrid grid{n, n};
    gyre::FlowSolver gyre(grid, numbers);
    gyre.set_force(exact.force());
    gyre::VelocityField velocity = exact.start(grid, 0);
    run(gyre, velocity, 0.2);
    const gyre::VelocityField truth = exact.velocity(grid, 0.2);
    mean_square.push_back(relative_distance(velocity, truth));
    worst.push_back(greatest(test::difference(velocity, truth)) / greatest(truth));
    const std::size_t last = worst.size() - 1;
    std::printf("| %d² | %.2e | %.2f | %.2e | %.2f |\n", n, mean_square[last],
                last > 0 ? std::log2(mean_square[last - 1] / mean_square[last]) : 0, worst[last],
                last > 0 ? std::log2(worst[last - 1] / worst[last]) : 0);
  }
  EXPECT_NEAR(std::log2(mean_square[1] / mean_square[2]), 2, 0.1);
  if (!test::is_night()) return;
  EXPECT_NEAR(std::log2(mean_square[2] / mean_square[3]), 2, 0.05);
  EXPECT_NEAR(std::log2(worst[2] / worst[3]), 2, 0.2);
}

TEST(GyreManufactured, IsThirdOrderInTime) {
  const gyre::DimensionlessNumbers numbers{20, 1e3, 1e3, 0};
  const ManufacturedGyre exact(numbers);
  const gyre::StaggeredGrid grid{16, 16};
  gyre::FlowSolver gyre(grid, numbers);
  gyre.set_force(exact.force());
  const auto end_state = [&](int steps) {
    gyre::VelocityField velocity = exact.start(grid, 0);
    for (int n = 0; n < steps; ++n) gyre.advance(velocity, 0.2 * n / steps, 0.2 / steps);
    return velocity;
  };
  const gyre::VelocityField fine = end_state(5120);
  std::printf("| steps | error, root mean square | order |\n");
  std::vector<double> errors;
  for (const int steps : {80, 160, 320, 640}) {
    errors.push_back(relative_distance(end_state(steps), fine));
    const std::size_t last = errors.size() - 1;
    std::printf("| %d | %.2e | %.2f |\n", steps, errors[last],
                last > 0 ? std::log2(errors[last - 1] / errors[last]) : 0);
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 3, 0.1);
  EXPECT_NEAR(std::log2(errors[2] / errors[3]), 3, 0.1);
}

// Without wind, β and, at 10⁻⁶, advection the equations are Stokes'. Between no-slip walls in the
// west and east and free-slip ones in the south and north
//   ψ = [cosh l(x − ½) / cosh l/2 − cos m(x − ½) / cos m/2] sin ly,  m tan m/2 = −l tanh l/2,
// is an eigenmode, which decays with the rate (l² + m²) / Re (∇²ψ is only the cosine).
TEST(GyreStokes, EigenmodeDecaysAtItsRate) {
  const double l = pi;
  double low = pi + 1e-9;  // tan m/2 rises from −∞ to 0 between π and 2π
  double high = 2 * pi;
  for (int n = 0; n < 100; ++n) {
    const double middle = (low + high) / 2;
    (middle * std::tan(middle / 2) + l * std::tanh(l / 2) < 0 ? low : high) = middle;
  }
  const double m = low;
  const double reynolds = 10;
  const double rate = (l * l + m * m) / reynolds;
  const auto psi = [&](double x, double y) {
    return 1e-6 *
           (std::cosh(l * (x - 0.5)) / std::cosh(l / 2) -
            std::cos(m * (x - 0.5)) / std::cos(m / 2)) *
           std::sin(l * y);
  };
  const double duration = 1 / rate;
  std::printf("| cells | decay rate over the exact %.4f | shape's error |\n", rate);
  std::vector<double> errors;
  for (const int n : {16, 32, 64}) {
    const gyre::StaggeredGrid grid{n, n};
    const gyre::FlowSolver gyre(grid, {reynolds, 0, 0, 0});
    const gyre::VelocityField start = flow_of(grid, psi);
    gyre::VelocityField velocity = start;
    run(gyre, velocity, duration);
    const double measured_rate =
        std::log(gyre::kinetic_energy(start) / gyre::kinetic_energy(velocity)) / (2 * duration);
    gyre::scale(velocity, std::exp(rate * duration));
    errors.push_back(std::abs(measured_rate / rate - 1));
    const double shape = relative_distance(velocity, start);
    std::printf("| %d² | %.5f | %.2e |\n", n, measured_rate / rate, shape);
    EXPECT_LT(shape, 2.0 / (n * n) * 4);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);
  EXPECT_LT(errors[2], 1e-3);
}

/// F of ψ = F(x) sin 2πy, the steady flow of a weak wind: with k = 2π
///   (D² − k²)² F / Re − β F' = a,  F = F' = 0 at x = 0, 1
/// (Munk 1950, with the conditions of these walls): four exponentials and a constant.
class MunkFlow {
 public:
  explicit MunkFlow(const gyre::DimensionlessNumbers& numbers) {
    const double k = 2 * pi;
    const double layer = numbers.beta * numbers.reynolds;
    // r⁴ − 2k²r² − βRe r + k⁴ = 0, by the method of Durand and Kerner
    const auto polynomial = [&](Complex r) {
      return r * r * r * r - 2 * k * k * r * r - layer * r + k * k * k * k;
    };
    for (std::size_t n = 0; n < 4; ++n) {
      root_[n] = std::cbrt(layer) * std::pow(Complex(0.4, 0.9), int(n));
    }
    for (int round = 0; round < 500; ++round) {
      for (std::size_t n = 0; n < 4; ++n) {
        Complex product = 1;
        for (std::size_t o = 0; o < 4; ++o) {
          if (o != n) product *= root_[n] - root_[o];
        }
        root_[n] -= polynomial(root_[n]) / product;
      }
    }
    constant_ = numbers.wind * numbers.reynolds / (k * k * k * k);
    // Growing exponentials are relative to the eastern wall, so that none overflows.
    std::array<std::array<Complex, 5>, 4> rows;
    for (std::size_t n = 0; n < 4; ++n) {
      rows[0][n] = exponential(n, 0);
      rows[1][n] = exponential(n, 1);
      rows[2][n] = root_[n] * exponential(n, 0);
      rows[3][n] = root_[n] * exponential(n, 1);
    }
    rows[0][4] = rows[1][4] = -constant_;
    rows[2][4] = rows[3][4] = 0;
    solve(rows);
  }

  double f(double x) const { return sum(x, 0) + constant_; }
  double f_x(double x) const { return sum(x, 1); }

 private:
  Complex exponential(std::size_t n, double x) const {
    return std::exp(root_[n] * (root_[n].real() > 0 ? x - 1 : x));
  }
  double sum(double x, int derivative) const {
    Complex value = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      value += weight_[n] * exponential(n, x) * (derivative == 1 ? root_[n] : Complex(1));
    }
    return value.real();
  }
  /// Computes weight_ by Gauss-Jordan elimination with pivots.
  void solve(std::array<std::array<Complex, 5>, 4>& rows) {
    for (std::size_t c = 0; c < 4; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c; r < 4; ++r) {
        if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
      }
      std::swap(rows[c], rows[pivot]);
      for (std::size_t r = 0; r < 4; ++r) {
        if (r == c) continue;
        const Complex factor = rows[r][c] / rows[c][c];
        for (std::size_t k = c; k < 5; ++k) rows[r][k] -= factor * rows[c][k];
      }
    }
    for (std::size_t n = 0; n < 4; ++n) weight_[n] = rows[n][4] / rows[n][n];
  }

  std::array<Complex, 4> root_;
  std::array<Complex, 4> weight_;
  double constant_ = 0;
};

/// Returns the steady flow of a wind so weak that advection is negligible. It starts from rest on
/// 32 × 32 cells, and on finer grids from the flow on half as many cells per side.
gyre::VelocityField steady_weak_flow(int n, const gyre::DimensionlessNumbers& numbers) {
  const gyre::StaggeredGrid grid{n, n};
  const gyre::FlowSolver gyre(grid, numbers);
  gyre::VelocityField velocity =
      n > 32 ? gyre::regridded(steady_weak_flow(n / 2, numbers), grid) : gyre::VelocityField(grid);
  const double step = gyre.stable_step(0);
  gyre::VelocityField before = velocity;
  do {
    before = velocity;
    for (int k = 0; k < 100; ++k) gyre.advance(velocity, 0, step);
  } while (relative_distance(before, velocity) > 2e-6);  // 1/1000 of the grids' difference
  return velocity;
}

TEST(GyreMunk, MatchesTheSteadyFlowOfAWeakWind) {
  const gyre::DimensionlessNumbers numbers{20, 1e3, 1e-3, 0};
  const MunkFlow munk(numbers);
  std::printf("| cells | error, root mean square | order |\n");
  std::vector<double> errors;
  for (const int n : table_grids({32, 64, 128})) {
    const gyre::VelocityField velocity = steady_weak_flow(n, numbers);
    const gyre::VelocityField exact = test::sampled(
        velocity.grid(),
        [&](double x, double y) { return -2 * pi * munk.f(x) * std::cos(2 * pi * y); },
        [&](double x, double y) { return munk.f_x(x) * std::sin(2 * pi * y); });
    errors.push_back(relative_distance(velocity, exact));
    const std::size_t last = errors.size() - 1;
    std::printf("| %d² | %.2e | %.2f |\n", n, errors[last],
                last > 0 ? std::log2(errors[last - 1] / errors[last]) : 0);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
  if (!test::is_night()) return;
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15);
  EXPECT_LT(errors[2], 0.01);
}

TEST(GyreMunk, HasSverdrupBalanceAndWidthOfMunksLayer) {
  if (!test::is_night()) GTEST_SKIP() << "by night: its layer takes 128 x 128 cells";
  const gyre::DimensionlessNumbers numbers{500, 1e3, 1e-3, 0};
  const int n = 128;
  const gyre::VelocityField velocity = steady_weak_flow(n, numbers);
  // β v = curl τ in the interior: v = −(a/β) sin 2πy, greatest at y = ¼.
  const int quarter = n / 4;
  double worst = 0;
  for (int i = n / 3; i < n * 4 / 5; ++i) {
    worst = std::max(worst, std::abs(velocity.v(quarter, i) / (-numbers.wind / numbers.beta) - 1));
  }
  // Munk's layer e^(−x/2δ) sin(√3 x/2δ) first changes sign at x = 2πδ/√3.
  const double layer = std::cbrt(1 / (numbers.beta * numbers.reynolds));
  int turn = 0;
  while (velocity.v(quarter, turn) > 0) ++turn;
  const double before = velocity.v(quarter, turn - 1);
  const double share = before / (before - velocity.v(quarter, turn));
  const double width = (turn - 0.5 + share) / n;
  const double munk = 2 * pi * layer / std::sqrt(3);
  std::printf(
      "Sverdrup's v: within %.1f %%; the western current turns at x = %.4f, Munk's at %.4f\n",
      100 * worst, width, munk);
  EXPECT_LT(worst, 0.05);
  EXPECT_NEAR(width / munk, 1, 0.1);
}

TEST(GyreSteady, FlowAtReynolds20IsSymmetric) {
  SilentProgress progress;
  const gyre::VelocityField velocity = gyre::spin_up({64, 64}, {20, 1e3, 1e3, 0}, 6, progress);
  EXPECT_LT(relative_distance(mirrored(velocity), velocity), 1e-4);
  const gyre::FlowSolver gyre({64, 64}, {20, 1e3, 1e3, 0});
  // The flow is steady: it changes little in a unit of time.
  EXPECT_LT(test::norm(gyre.tendency(velocity, 0)) / test::norm(velocity), 1e-3);
  EXPECT_NEAR(gyre::greatest_speed(velocity), 15, 0.5);
}

TEST(GyreSteady, IsIndependentOfCoarserStartGrids) {
  SilentProgress progress;
  const gyre::DimensionlessNumbers numbers{20, 1e3, 1e3, 0};
  const gyre::VelocityField direct = gyre::spin_up({{{64, 64}, 4}}, numbers, progress);
  const gyre::VelocityField staged =
      gyre::spin_up({{{32, 32}, 2}, {{48, 48}, 1}, {{64, 64}, 1}}, numbers, progress);
  const gyre::VelocityField coarse = gyre::spin_up({{{32, 32}, 4}}, numbers, progress);
  const double truncation = relative_distance(gyre::regridded(coarse, {64, 64}), direct);
  const double staging = relative_distance(staged, direct);
  std::printf("by stages against directly: %.1e; 32² against 64²: %.1e\n", staging, truncation);
  EXPECT_LT(staging, 0.01 * truncation);
}

}  // namespace
}  // namespace tidewise

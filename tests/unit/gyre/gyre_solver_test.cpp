#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "env/gyre/flow/solver.h"
#include "support/ocean/gyre_flows.h"
#include "support/ocean/manufactured_gyre.h"

namespace tidewise::gyre {
namespace {

using test::difference;
using test::flow_of;
using test::greatest;
using test::ManufacturedGyre;
using test::norm;
using test::random_flow;
using test::relative_distance;

constexpr double pi = std::numbers::pi;

/// Advances `velocity` by `duration` in `steps` equal steps.
void run(const FlowSolver& gyre, VelocityField& velocity, double duration, int steps) {
  const double step = duration / steps;
  for (int n = 0; n < steps; ++n) gyre.advance(velocity, n * step, step);
}

VelocityField two_eddies(const StaggeredGrid& grid) {
  return flow_of(grid, [](double x, double y) {
    const double s = std::sin(pi * x);
    return s * s * (std::sin(2 * pi * y) + 0.5 * x * std::sin(pi * y));
  });
}

TEST(FlowSolver, ConvergesInSpaceAtSecondOrder) {
  const DimensionlessNumbers numbers{20, 1e3, 1e3, 0};
  const ManufacturedGyre exact(numbers);
  constexpr double duration = 0.1;
  std::vector<double> errors;
  for (const int n : {12, 24, 48}) {
    const StaggeredGrid grid{n, n};
    FlowSolver gyre(grid, numbers);
    gyre.set_force(exact.force());
    VelocityField velocity = exact.start(grid, 0);
    // Errors in time are far below errors in space at every stable step.
    const double step = gyre.stable_step(2 * greatest_courant_rate(velocity));
    run(gyre, velocity, duration, static_cast<int>(std::ceil(duration / step)));
    errors.push_back(relative_distance(velocity, exact.velocity(grid, duration)));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.7);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15);
  EXPECT_LT(errors[2], 5e-3);
}

TEST(FlowSolver, ConvergesInTimeAtThirdOrder) {
  const DimensionlessNumbers numbers{20, 1e3, 1e3, 0};
  const ManufacturedGyre exact(numbers);
  const StaggeredGrid grid{12, 12};
  FlowSolver gyre(grid, numbers);
  gyre.set_force(exact.force());
  const auto final_state = [&](int steps) {
    VelocityField velocity = exact.start(grid, 0);
    run(gyre, velocity, 0.1, steps);
    return velocity;
  };
  const VelocityField fine = final_state(1280);
  const double coarse_error = relative_distance(final_state(40), fine);
  const double middle_error = relative_distance(final_state(80), fine);
  const double fine_error = relative_distance(final_state(160), fine);
  EXPECT_NEAR(std::log2(coarse_error / middle_error), 3, 0.2);
  EXPECT_NEAR(std::log2(middle_error / fine_error), 3, 0.1);
}

TEST(FlowSolver, ConstantCoriolisChangesNothing) {
  const StaggeredGrid grid{24, 20};
  const FlowSolver without(grid, {50, 1e3, 1e3, 0});
  const FlowSolver with(grid, {50, 1e3, 1e3, 1e3});
  VelocityField velocity_without = two_eddies(grid);
  VelocityField velocity_with = velocity_without;
  run(without, velocity_without, 0.05, 100);
  run(with, velocity_with, 0.05, 100);
  EXPECT_LT(relative_distance(velocity_with, velocity_without), 1e-11);
}

TEST(FlowSolver, EnergyBudgetClosesToTheOrderOfTheStep) {
  const StaggeredGrid grid{24, 24};
  const double reynolds = 50;
  const FlowSolver gyre(grid, {reynolds, 1e3, 1e3, 0});
  // The change of energy compared with work less dissipation over the run, integrated by Simpson's
  // rule over pairs of steps (fourth order).
  const auto residual = [&](int steps) {
    VelocityField velocity = two_eddies(grid);
    const double before = kinetic_energy(velocity);
    const double step = 0.1 / steps;
    double gain = 0;
    for (int n = 0; n <= steps; ++n) {
      const double rate = wind_work(gyre.momentum(), velocity) -
                          dissipation(gyre.momentum(), velocity, velocity) / reynolds;
      gain += rate * step / 3 * (n == 0 || n == steps ? 1 : n % 2 == 1 ? 4 : 2);
      if (n < steps) gyre.advance(velocity, 0, step);
    }
    return std::abs(kinetic_energy(velocity) - before - gain) / before;
  };
  const double coarse = residual(80);
  const double middle = residual(160);
  const double fine = residual(320);
  EXPECT_GT(std::log2(coarse / middle), 2.7);
  EXPECT_GT(std::log2(middle / fine), 2.8);
  EXPECT_LT(fine, 1e-5);
}

TEST(FlowSolver, WithoutWindEveryStepLosesEnergy) {
  const StaggeredGrid grid{32, 32};
  const FlowSolver gyre(grid, {100, 1e3, 0, 0});
  VelocityField velocity = random_flow(grid, 1);
  scale(velocity, 20 / greatest(velocity));
  double before = kinetic_energy(velocity);
  for (int n = 0; n < 400; ++n) {
    gyre.advance(velocity, 0, gyre.stable_step(greatest_courant_rate(velocity)));
    const double energy = kinetic_energy(velocity);
    ASSERT_LT(energy, before) << "step " << n;
    before = energy;
  }
}

TEST(FlowSolver, TheStableStepIsStable) {
  const StaggeredGrid grid{32, 32};
  // Only viscosity, only Rossby waves and, with conserved energy, only advection.
  for (const DimensionlessNumbers& numbers :
       {DimensionlessNumbers{1, 0, 0, 0}, DimensionlessNumbers{1e9, 1e3, 0, 0},
        DimensionlessNumbers{1e9, 0, 0, 0}}) {
    const FlowSolver gyre(grid, numbers);
    VelocityField velocity = random_flow(grid, 2);
    scale(velocity, numbers.reynolds > 1 && numbers.beta == 0 ? 1 : 1e-6);
    const double before = kinetic_energy(velocity);
    for (int n = 0; n < 1000; ++n) {
      gyre.advance(velocity, 0, gyre.stable_step(greatest_courant_rate(velocity)));
    }
    EXPECT_LE(kinetic_energy(velocity), before * (1 + 1e-12));
  }
}

TEST(FlowSolver, DivergenceStaysAtRoundOff) {
  const StaggeredGrid grid{32, 32};
  const FlowSolver gyre(grid, {50, 1e3, 1e3, 1e3});
  VelocityField velocity = two_eddies(grid);
  run(gyre, velocity, 0.5, 1000);
  EXPECT_LT(greatest_divergence(velocity), 1e-12 * greatest(velocity) * 64);
}

TEST(FlowSolver, GivesTheSameBitsForAnyThreads) {
  const StaggeredGrid grid{72, 70};  // large enough for threads to share
  const FlowSolver gyre(grid, {50, 1e3, 1e3, 0});
  const int threads = omp_get_max_threads();
  const auto final_state = [&](int count) {
    omp_set_num_threads(count);
    VelocityField velocity = two_eddies(grid);
    run(gyre, velocity, 0.01, 20);
    omp_set_num_threads(threads);
    return velocity.values();
  };
  const std::vector<double> expected = final_state(1);
  EXPECT_EQ(final_state(2), expected);
  EXPECT_EQ(final_state(3), expected);
}

}  // namespace
}  // namespace tidewise::gyre

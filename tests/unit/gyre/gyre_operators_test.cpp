#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "env/gyre/flow/solver.h"
#include "support/ocean/gyre_flows.h"

namespace tidewise::gyre {
namespace {

using test::difference;
using test::greatest;
using test::norm;
using test::random_flow;
using test::random_velocity;

/// Returns the viscous and Coriolis terms of `b` on all faces.
VelocityField linear_terms(const MomentumRows& momentum, const VelocityField& b) {
  VelocityField out(b.grid());
  for (int j = 0; j < b.grid().ny; ++j) momentum.linear_u(b, j, out.u_row(j));
  for (int j = 1; j < b.grid().ny; ++j) momentum.linear_v(b, j, out.v_row(j));
  return out;
}

/// Returns −½ [∇·(a b) + ∇·(b a)].
VelocityField advection(const MomentumRows& momentum, const VelocityField& a,
                        const VelocityField& b) {
  VelocityField out(a.grid());
  for (int j = 0; j < a.grid().ny; ++j) momentum.advection_u(a, b, j, out.u_row(j));
  for (int j = 1; j < a.grid().ny; ++j) momentum.advection_v(a, b, j, out.v_row(j));
  return out;
}

// One eddy around the corner (1, 1) of 3 × 3 cells: ψ = 1 there, 0 elsewhere. dx = ⅓, so
//   u = −ψ_y: −3 south of the corner, +3 north; v = ψ_x: 3 west of it, −3 east.
class GyreHandCalculation : public ::testing::Test {
 protected:
  const StaggeredGrid grid{3, 3};
  const VelocityField eddy = [this] {
    std::vector<double> stream_function(grid.corner_count(), 0.0);
    stream_function[corner(grid, 1, 1)] = 1;
    return velocity_of(grid, stream_function);
  }();
};

TEST_F(GyreHandCalculation, AnEddyOfOneCorner) {
  EXPECT_EQ(eddy.u(0, 1), -3);
  EXPECT_EQ(eddy.u(1, 1), 3);
  EXPECT_EQ(eddy.v(1, 0), 3);
  EXPECT_EQ(eddy.v(1, 1), -3);
  EXPECT_DOUBLE_EQ(inner_product(eddy, eddy), 4 * 9 / 9.0);
  EXPECT_DOUBLE_EQ(kinetic_energy(eddy), 2);
  EXPECT_EQ(greatest_divergence(eddy), 0);
  // In the cell (0, 0): |u| = 3 in the east, |v| = 3 in the north; the same in its neighbours.
  EXPECT_DOUBLE_EQ(greatest_courant_rate(eddy), 18);
  EXPECT_DOUBLE_EQ(greatest_speed(eddy), std::sqrt(2 * 1.5 * 1.5));
}

TEST_F(GyreHandCalculation, Viscosity) {
  const MomentumRows momentum(grid, {9.0, 0, 0, 0});  // 1/(dx² Re) = 1
  const VelocityField force = linear_terms(momentum, eddy);
  // u(0, 1) = −3 between 0 and 0 along x; across y the wall's mirror image −3 and 3.
  EXPECT_DOUBLE_EQ(force.u(0, 1), (0 + 6 + 0) + (-3 + 6 + 3));
  // u(1, 1) = 3: along x 0 and 0, across −3 and 0.
  EXPECT_DOUBLE_EQ(force.u(1, 1), -6 + (-3 - 6));
  // u(0, 2) = 0 east of −3.
  EXPECT_DOUBLE_EQ(force.u(0, 2), -3);
  // v(1, 0) = 3: beyond the western wall −3, east of it −3; 0 in the south and north.
  EXPECT_DOUBLE_EQ(force.v(1, 0), (-3 - 6 - 3) - 6);
  // v(1, 1) = −3: 3 in the west, 0 in the east.
  EXPECT_DOUBLE_EQ(force.v(1, 1), (3 + 6) + 6);
  // v(2, 0) = 0 north of 3.
  EXPECT_DOUBLE_EQ(force.v(2, 0), 3);
}

TEST_F(GyreHandCalculation, Coriolis) {
  const MomentumRows momentum(grid, {1e300, 6.0, 0, 0});  // f = 6y: 1, 3, 5 in the three rows
  const VelocityField force = linear_terms(momentum, eddy);
  // About u(0, 1): v is 0 in the south, 3 and −3 in the north.
  EXPECT_NEAR(force.u(0, 1), 0, 1e-15);
  // About u(0, 2): −3 in the north-west.
  EXPECT_DOUBLE_EQ(force.u(0, 2), 1 * -0.75);
  EXPECT_DOUBLE_EQ(force.u(1, 2), 3 * -0.75);
  // About v(1, 0): u = −3 in the south where f = 1, 3 in the north where f = 3.
  EXPECT_DOUBLE_EQ(force.v(1, 0), -0.25 * (1 * -3 + 3 * 3));
  // About v(2, 0): u = 3 in the south where f = 3.
  EXPECT_DOUBLE_EQ(force.v(2, 0), -0.25 * (3 * 3));
}

TEST_F(GyreHandCalculation, Advection) {
  const MomentumRows momentum(grid, {1, 0, 0, 0});
  const VelocityField force = advection(momentum, eddy, eddy);
  // u(0, 1): centres have u = −1.5 on both sides: no difference. South: the wall. North: v is the
  // mean of 3 and −3, so 0.
  EXPECT_NEAR(force.u(0, 1), 0, 1e-15);
  // u(0, 2): (u²) = 0 in the east, 2.25 in the west; in the north v = −1.5, u = 0.
  EXPECT_DOUBLE_EQ(force.u(0, 2), -3 * (0 - 2.25));
  // v(1, 1): (v²) = 2.25 north and south. (uv) through the west: u = 0; through the east: u = 0.
  EXPECT_DOUBLE_EQ(force.v(1, 1), 0);
  // v(2, 0): (v²) = 0 in the north, 2.25 in the south; through the east u = 1.5, v = 0.
  EXPECT_DOUBLE_EQ(force.v(2, 0), -3 * (0 - 2.25));
}

TEST_F(GyreHandCalculation, Wind) {
  const MomentumRows momentum(grid, {1, 0, 2 * std::numbers::pi, 0});
  // −cos(2πy) at y = 1/6, 1/2, 5/6
  EXPECT_NEAR(momentum.wind_u(0), -0.5, 1e-15);
  EXPECT_NEAR(momentum.wind_u(1), 1.0, 1e-15);
  EXPECT_NEAR(momentum.wind_u(2), -0.5, 1e-15);
  // u = −3 in the first row and 3 in the second, one face each.
  EXPECT_NEAR(wind_work(momentum, eddy), (-3 * -0.5 + 3 * 1.0) / 9, 1e-15);
}

TEST_F(GyreHandCalculation, ProjectionOfOneFace) {
  // u = 1 on the only inner face of 2 × 1 cells is a pure gradient.
  VelocityField velocity({2, 1});
  velocity.u(0, 1) = 1;
  PressureProjection({2, 1}).project(velocity);
  EXPECT_NEAR(velocity.u(0, 1), 0, 1e-15);
  // On 2 × 2 cells, u = 1 on one of the four faces around the corner: its eddy part is a quarter.
  VelocityField four({2, 2});
  four.u(0, 1) = 1;
  PressureProjection({2, 2}).project(four);
  EXPECT_NEAR(four.u(0, 1), 0.25, 1e-15);
  EXPECT_NEAR(four.u(1, 1), -0.25, 1e-15);
  EXPECT_NEAR(four.v(1, 0), -0.25, 1e-15);
  EXPECT_NEAR(four.v(1, 1), 0.25, 1e-15);
}

/// Square and other grids, whose lines fill whole blocks or not.
class GyreOperators : public ::testing::TestWithParam<StaggeredGrid> {
 protected:
  const StaggeredGrid grid = GetParam();
};

TEST_P(GyreOperators, ProjectionLeavesNoDivergence) {
  const PressureProjection projection(grid);
  VelocityField velocity = random_velocity(grid, 1);
  const double scale = greatest(velocity) * (grid.nx + grid.ny);
  projection.project(velocity);
  EXPECT_LT(greatest_divergence(velocity), 1e-13 * scale);
  for (int j = 0; j < grid.ny; ++j) {
    EXPECT_EQ(velocity.u(j, 0), 0);
    EXPECT_EQ(velocity.u(j, grid.nx), 0);
  }
  for (int i = 0; i < grid.nx; ++i) {
    EXPECT_EQ(velocity.v(0, i), 0);
    EXPECT_EQ(velocity.v(grid.ny, i), 0);
  }
}

TEST_P(GyreOperators, ProjectionIsOrthogonal) {
  const PressureProjection projection(grid);
  const VelocityField flow = random_flow(grid, 2);
  VelocityField projected = flow;
  projection.project(projected);
  EXPECT_LT(greatest(difference(projected, flow)), 1e-13 * greatest(flow));
  const VelocityField velocity = random_velocity(grid, 3);
  VelocityField projected_velocity = velocity;
  projection.project(projected_velocity);
  // The removed part is orthogonal to every flow free of divergence.
  EXPECT_NEAR(inner_product(difference(velocity, projected_velocity), flow), 0,
              1e-13 * norm(velocity) * norm(flow));
}

TEST_P(GyreOperators, StreamFunctionRoundTrips) {
  const VelocityField flow = random_flow(grid, 4);
  const VelocityField restored = velocity_of(grid, stream_function_of(flow));
  EXPECT_LT(greatest(difference(restored, flow)), 1e-13 * greatest(flow));
}

TEST_P(GyreOperators, InnerProductsAreSymmetric) {
  const VelocityField a = random_velocity(grid, 5);
  const VelocityField b = random_velocity(grid, 6);
  const MomentumRows momentum(grid, {50, 1e3, 1e3, 0});
  EXPECT_EQ(inner_product(a, b), inner_product(b, a));
  const double ab = dissipation(momentum, a, b);
  EXPECT_NEAR(ab, dissipation(momentum, b, a), 1e-12 * dissipation(momentum, a, a));
  EXPECT_GT(dissipation(momentum, a, a), 0);
}

TEST_P(GyreOperators, AdvectionDoesNoWork) {
  const MomentumRows momentum(grid, {50, 1e3, 1e3, 0});
  const VelocityField a = random_flow(grid, 7);
  const VelocityField b = random_flow(grid, 8);
  const VelocityField aa = advection(momentum, a, a);
  const VelocityField bb = advection(momentum, b, b);
  const VelocityField ab = advection(momentum, a, b);
  const double scale = norm(a) * norm(ab) + norm(b) * norm(bb);
  EXPECT_NEAR(inner_product(a, aa), 0, 1e-13 * norm(a) * norm(aa));
  // Advection by a does not change the energy of a second flow b. In the symmetric form that the
  // rows compute, this is ⟨a, A(b, b)⟩ + 2 ⟨b, A(a, b)⟩ = 0.
  EXPECT_NEAR(inner_product(a, bb) + 2 * inner_product(b, ab), 0, 1e-13 * scale);
  EXPECT_EQ(advection(momentum, b, a).values(), ab.values());
}

TEST_P(GyreOperators, CoriolisDoesNoWorkOnAnyFlow) {
  const MomentumRows rotating(grid, {1e300, 1e3, 0, 77});
  const VelocityField a = random_velocity(grid, 9);
  const VelocityField force = linear_terms(rotating, a);
  EXPECT_NEAR(inner_product(a, force), 0, 1e-13 * norm(a) * norm(force));
}

TEST_P(GyreOperators, ConstantCoriolisIsAGradient) {
  const MomentumRows rotating(grid, {1e300, 0, 0, 77});
  const VelocityField a = random_flow(grid, 10);
  VelocityField force = linear_terms(rotating, a);
  const double scale = greatest(force);
  PressureProjection(grid).project(force);
  EXPECT_LT(greatest(force), 1e-13 * scale);
}

TEST_P(GyreOperators, TendencyClosesTheEnergyBudget) {
  FlowSolver gyre(grid, {50, 1e3, 1e3, 0});
  const VelocityField a = random_flow(grid, 11);
  const VelocityField rate = gyre.tendency(a, 0);
  const double work = wind_work(gyre.momentum(), a);
  const double loss = dissipation(gyre.momentum(), a, a) / 50;
  EXPECT_NEAR(inner_product(a, rate), work - loss, 1e-12 * (norm(a) * norm(rate) + loss));
}

INSTANTIATE_TEST_SUITE_P(Grids, GyreOperators,
                         ::testing::Values(StaggeredGrid{3, 3}, StaggeredGrid{5, 8},
                                           StaggeredGrid{16, 16}, StaggeredGrid{33, 20},
                                           StaggeredGrid{72, 67}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.nx) + "x" +
                                  std::to_string(shape.param.ny);
                         });

}  // namespace
}  // namespace tidewise::gyre

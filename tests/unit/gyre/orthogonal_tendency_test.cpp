// The dynamically orthogonal equations at one instant, compared with FlowSolver's tendency of
// every realization.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "env/gyre/modes/coefficient_moments.h"
#include "env/gyre/modes/orthogonal_solver.h"
#include "support/ocean/gyre_states.h"

namespace tidewise::gyre {
namespace {

constexpr StaggeredGrid tendency_grid{12, 16};
constexpr DimensionlessNumbers tendency_numbers{20, 50, 30, 10};

std::vector<VelocityField> true_tendencies(const OrthogonalSolver& solver,
                                           const OrthogonalState& state) {
  std::vector<VelocityField> tendencies;
  for (std::size_t r = 0; r < state.realization_count; ++r) {
    tendencies.push_back(solver.gyre().tendency(realization_of(state, r), 0));
  }
  return tendencies;
}

VelocityField mean_of(const std::vector<VelocityField>& fields) {
  VelocityField mean(fields[0].grid());
  for (const VelocityField& field : fields) add(mean, 1.0 / double(fields.size()), field);
  return mean;
}

class OrthogonalTendency : public testing::Test {
 protected:
  const OrthogonalSolver solver_{tendency_grid, tendency_numbers};
};

TEST_F(OrthogonalTendency, MatchesFlowSolverWithoutModes) {
  const VelocityField flow = test::two_gyres(tendency_grid);
  OrthogonalState state{flow, {}, {}, 5};
  // The tendency is equal to the last bit. Steps differ by round-off, because FlowSolver projects
  // velocities at each stage.
  EXPECT_EQ(solver_.tendency(state).mean.values(), solver_.gyre().tendency(flow, 0).values());
  VelocityField stepped = flow;
  for (int step = 0; step < 3; ++step) {
    solver_.gyre().advance(stepped, 0, 1e-3);
    solver_.advance(state, 1e-3);
  }
  EXPECT_LT(test::relative_distance(state.mean, stepped), 1e-14);
  EXPECT_GT(test::relative_distance(state.mean, flow), 1e-3);
  EXPECT_EQ(solver_.stable_step(state),
            solver_.gyre().stable_step(greatest_courant_rate(state.mean)));
}

TEST_F(OrthogonalTendency, IsExactForEachRealizationIfCoefficientsSpanAll) {
  // S + 1 realizations vary in a space of S coefficients, so nothing is truncated.
  for (const std::size_t modes : {1u, 2u, 3u, 6u}) {
    const OrthogonalState state =
        test::stochastic_state(test::two_gyres(tendency_grid), modes, modes + 1, 0.8);
    const OrthogonalState tendency = solver_.tendency(state);
    const auto truth = true_tendencies(solver_, state);
    for (std::size_t r = 0; r < state.realization_count; ++r) {
      EXPECT_LT(test::relative_distance(test::tendency_of(state, tendency, r), truth[r]), 1e-12)
          << modes << " modes, realization " << r;
    }
  }
}

TEST_F(OrthogonalTendency, IsExactWithoutOrthonormalModes) {
  // Modes in the stages of a step are orthonormal only to second order in the step.
  OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 4, 5, 0.8);
  state.modes = test::long_waves(tendency_grid, 4);
  const OrthogonalState tendency = solver_.tendency(state);
  const auto truth = true_tendencies(solver_, state);
  for (std::size_t r = 0; r < state.realization_count; ++r) {
    EXPECT_LT(test::relative_distance(test::tendency_of(state, tendency, r), truth[r]), 1e-12);
  }
}

TEST_F(OrthogonalTendency, ProjectsEachRealizationsTendencyOnModesAndCoefficients) {
  constexpr std::size_t modes = 4;
  constexpr std::size_t realizations = 40;
  const OrthogonalState state =
      test::stochastic_state(test::two_gyres(tendency_grid), modes, realizations, 0.8);
  const OrthogonalState tendency = solver_.tendency(state);
  const auto truth = true_tendencies(solver_, state);
  const VelocityField mean = mean_of(truth);
  const std::vector<double> inverse = inverse_covariance(moments_of(state));

  // E[Y_j L] for each mode
  std::vector<VelocityField> covariant(modes, VelocityField(tendency_grid));
  for (std::size_t j = 0; j < modes; ++j) {
    for (std::size_t r = 0; r < realizations; ++r) {
      add(covariant[j], state.coefficients_of(j)[r] / realizations, truth[r]);
    }
  }
  for (std::size_t r = 0; r < realizations; ++r) {
    // The part that coefficients explain, and the part of the rest that modes explain.
    VelocityField expected(tendency_grid);
    for (std::size_t i = 0; i < modes; ++i) {
      double weight = 0;
      for (std::size_t j = 0; j < modes; ++j) {
        weight += state.coefficients_of(j)[r] * inverse[j * modes + i];
      }
      add(expected, weight, covariant[i]);
    }
    VelocityField rest = truth[r];
    add(rest, -1, mean);
    add(rest, -1, expected);
    add(expected, 1, mean);
    for (const VelocityField& mode : state.modes) add(expected, inner_product(rest, mode), mode);
    EXPECT_LT(test::relative_distance(test::tendency_of(state, tendency, r), expected), 1e-12);
    // The modes do not span the tendency, so the projection differs from it.
    EXPECT_GT(test::relative_distance(truth[r], expected), 1e-3);
  }
}

TEST_F(OrthogonalTendency, HasTheMeanOfTheRealizations) {
  const OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 3, 50, 0.8);
  EXPECT_LT(test::relative_distance(solver_.tendency(state).mean,
                                    mean_of(true_tendencies(solver_, state))),
            1e-13);
}

TEST_F(OrthogonalTendency, SatisfiesOrthogonalityAndKeepsMeansAndDivergence) {
  const OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 6, 700, 0.8);
  const OrthogonalState tendency = solver_.tendency(state);
  EXPECT_LT(greatest_divergence(tendency.mean), 1e-12 * greatest_courant_rate(tendency.mean));
  for (std::size_t m = 0; m < 6; ++m) {
    EXPECT_LT(greatest_divergence(tendency.modes[m]),
              1e-12 * greatest_courant_rate(tendency.modes[m]));
    const double size = test::norm(tendency.modes[m]);
    EXPECT_GT(size, 1);
    for (const VelocityField& mode : state.modes) {
      EXPECT_NEAR(inner_product(tendency.modes[m], mode), 0, 1e-13 * size);
    }
    double mean = 0;
    double deviation = 0;
    for (std::size_t r = 0; r < 700; ++r) {
      mean += tendency.coefficients_of(m)[r] / 700;
      deviation += std::abs(tendency.coefficients_of(m)[r]) / 700;
    }
    EXPECT_NEAR(mean, 0, 1e-13 * deviation);
  }
}

TEST_F(OrthogonalTendency, ChangesTheEnergyByWorkLessDissipation) {
  const OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 5, 300, 0.8);
  const OrthogonalState tendency = solver_.tendency(state);
  const EnergyBudget budget = solver_.energy_budget(state);
  double energy = 0;
  double change = 0;
  for (std::size_t r = 0; r < state.realization_count; ++r) {
    const VelocityField velocity = realization_of(state, r);
    energy += kinetic_energy(velocity) / 300;
    change += inner_product(velocity, test::tendency_of(state, tendency, r)) / 300;
  }
  EXPECT_NEAR(budget.mean + budget.variance, energy, 1e-12 * energy);
  EXPECT_GT(budget.variance, 0.1 * energy);
  EXPECT_GT(budget.work, 0);
  EXPECT_NEAR(change, budget.work - budget.dissipation, 1e-12 * budget.dissipation);
}

TEST_F(OrthogonalTendency, MovesAModeWithoutVarianceWithTheFlow) {
  OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 3, 200, 0.8);
  for (std::size_t r = 0; r < 200; ++r) state.coefficients_of(2)[r] = 0;
  OrthogonalState fewer = state;
  fewer.modes.pop_back();
  fewer.coefficient.resize(400);
  const OrthogonalState tendency = solver_.tendency(state);
  const OrthogonalState of_fewer = solver_.tendency(fewer);
  EXPECT_LT(test::relative_distance(tendency.mean, of_fewer.mean), 1e-14);
  // The tendencies of the other modes lack only their components along the last mode.
  for (std::size_t m = 0; m < 2; ++m) {
    VelocityField completed = tendency.modes[m];
    add(completed, inner_product(of_fewer.modes[m], state.modes[2]), state.modes[2]);
    EXPECT_LT(test::relative_distance(completed, of_fewer.modes[m]), 1e-12);
  }
  // A single mode turns like a perturbation of the mean.
  EXPECT_LT(test::norm(tendency.modes[2]), 1e3);

  OrthogonalState without_variance{state.mean, {state.modes[0]}, {0, 0}, 2};
  const double step = solver_.stable_step(without_variance);
  for (int n = 0; n < 20; ++n) solver_.advance(without_variance, step);
  EXPECT_LT(orthonormality_error(without_variance), 1e-14);
  EXPECT_EQ(without_variance.coefficient, std::vector<double>({0, 0}));
}

TEST_F(OrthogonalTendency, StepsAreShorterWhereAModeTurnsFast) {
  OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 2, 200, 0.8);
  const double step = solver_.stable_step(state);
  // The second mode has little variance, which is correlated with the square of the first.
  for (std::size_t r = 0; r < 200; ++r) {
    const double first = state.coefficients_of(0)[r];
    state.coefficients_of(1)[r] = 1e-3 * first * first;
  }
  test::centre_coefficients(state);
  EXPECT_LT(solver_.stable_step(state), 0.5 * step);
}

TEST_F(OrthogonalTendency, RefusesAFlowThatGrewWithoutBound) {
  OrthogonalState state = test::stochastic_state(test::two_gyres(tendency_grid), 2, 20, 0.8);
  state.coefficients_of(1)[3] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(solver_.tendency(state), RunError);
}

}  // namespace
}  // namespace tidewise::gyre

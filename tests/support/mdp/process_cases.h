#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"

namespace tidewise::test {

/// Description of a random process on which methods are compared.
struct RandomProcess {
  std::uint64_t seed = 1;
  std::int32_t states = 100;
  std::int32_t actions = 4;     ///< maximum; states lack some at random
  std::int32_t successors = 5;  ///< maximum of an action
  double discount = 0.9;
  double terminal_share = 0.02;  ///< share of states without actions; the last state has none
  double lacking_share = 0.2;    ///< share of actions that a state lacks
  bool local = false;            ///< if true, successors are within 20 states, as in a grid
};
template <class Real>
mdp::DecisionProcess<Real> make_process(const RandomProcess& wanted);
/// Makes such a process without a discount and with a cost of each step, so that no policy gains by
/// never ending. The last state is terminal and has a positive value.
template <class Real>
mdp::DecisionProcess<Real> make_costly_process(const RandomProcess& wanted);
/// Returns descriptions of small processes of every kind.
std::vector<RandomProcess> random_processes();
/// Returns descriptions for tests of policies: among them, processes with more actions than a block
/// has threads, with one state, and with terminal states only.
std::vector<RandomProcess> policy_processes();

/// Makes a process with S = 3, A = 2 and γ = 0.9; one row returns to its own state with probability
/// 1, and one has the probabilities 0.3 and 0.7.
template <class Real>
mdp::DecisionProcess<Real> three_state_process();

/// Makes a 2×2 world: states 0 1 / 2 3, actions right, down, left, up, which move or stay at the
/// border; state 3 is terminal; a step costs 1, the step into state 3 has the reward 10, and γ is
/// 0.9. Its values are 8, 10, 10 and 0.
template <class Real>
mdp::DecisionProcess<Real> four_cell_world();

/// Expects the solution of four_cell_world(): right before down in state 0, although both have the
/// value 8.
template <class Real>
void expect_four_cells_solved(const mdp::ProcessSolution<Real>& solution, double tolerance) {
  const double optimum[] = {8, 10, 10, 0};
  ASSERT_EQ(solution.value.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(solution.value[s], optimum[s], tolerance);
  EXPECT_EQ(solution.value[3], 0);
  EXPECT_EQ(solution.action, (std::vector<std::int32_t>{0, 1, 0, -1}));
}

/// Returns V* by plain sweeps in double until no value changes by 1e-13. It uses only the arrays of
/// the process, and so is independent of the solvers. For discounts below 1 and processes that end.
template <class Real>
std::vector<double> reference_values(const mdp::DecisionProcess<Real>& process);

/// True if each state's action is best for `value`, within `tolerance` times the largest absolute
/// value; policies may therefore differ by ties.
template <class Real>
::testing::AssertionResult is_greedy(const mdp::DecisionProcess<Real>& process,
                                     const std::vector<double>& value,
                                     const std::vector<std::int32_t>& action,
                                     double tolerance = 1e-6);

}  // namespace tidewise::test

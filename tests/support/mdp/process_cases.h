#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"

namespace tidewise::test {

/// A process with few properties, for methods to be compared on.
struct RandomProcess {
  std::uint64_t seed = 1;
  std::int32_t states = 100;
  std::int32_t actions = 4;     ///< the most; states have fewer at random
  std::int32_t successors = 5;  ///< the most of an action
  double discount = 0.9;
  double terminal_share = 0.02;  ///< states without actions, the last state always
  double lacking_share = 0.2;    ///< actions that a state does not have
  bool local = false;            ///< successors within 20 states, as in a grid
};
template <class Real>
mdp::DecisionProcess<Real> make_process(const RandomProcess& wanted);
/// The same without a discount and with a cost of each step, so that no policy gains by never
/// ending; the last state is a terminal state worth reaching.
template <class Real>
mdp::DecisionProcess<Real> make_costly_process(const RandomProcess& wanted);
/// Small processes of every kind.
std::vector<RandomProcess> random_processes();
/// With more actions than a block of threads has, few states, and nothing but ends among them.
std::vector<RandomProcess> policy_processes();

/// S = 3, A = 2, γ = 0.9, with a row of probability 1 to itself and one of .3/.7.
template <class Real>
mdp::DecisionProcess<Real> three_state_process();

/// A 2×2 world by hand: states 0 1 / 2 3, actions right, down, left, up, which move or stay at the
/// border; state 3 is terminal; a step costs 1, the step into state 3 brings 10, γ 0.9. Its values
/// are 8, 10, 10 and 0.
template <class Real>
mdp::DecisionProcess<Real> four_cell_world();

/// True if a solution is that of the four cells: right before down in state 0, though both have the
/// value 8.
template <class Real>
void expect_four_cells_solved(const mdp::ProcessSolution<Real>& solution, double tolerance) {
  const double optimum[] = {8, 10, 10, 0};
  ASSERT_EQ(solution.value.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(solution.value[s], optimum[s], tolerance);
  EXPECT_EQ(solution.value[3], 0);
  EXPECT_EQ(solution.action, (std::vector<std::int32_t>{0, 1, 0, -1}));
}

/// V* by plain sweeps in double until nothing changes by 1e-13, and by nothing else of the
/// project's than the arrays; for discounts under 1 and processes that end.
template <class Real>
std::vector<double> reference_values(const mdp::DecisionProcess<Real>& process);

/// True if each state's action is best for `value`, or within 1e-6 of the greatest value: policies
/// agree except for ties.
template <class Real>
::testing::AssertionResult is_greedy(const mdp::DecisionProcess<Real>& process,
                                     const std::vector<double>& value,
                                     const std::vector<std::int32_t>& action,
                                     double tolerance = 1e-6);

}  // namespace tidewise::test

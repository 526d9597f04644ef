#pragma once

#include <gtest/gtest.h>

#include "mdp/methods/functions.h"

namespace tidewise::mdp::cases {

/// Returns the solution of Q-learning on the host.
template <class Real>
ProcessSolution<Real> learn(const DecisionProcess<Real>& process, const QLearningOptions& learning,
                            std::int32_t threads = 1) {
  SolveOptions options;
  options.method = Method::q_learning;
  options.threads = threads;
  options.q_learning = learning;
  SilentProgress progress;
  return learn_by_simulation(process, options, progress);
}

/// Expects that two solutions are exactly equal.
template <class Real>
void expect_same(const ProcessSolution<Real>& a, const ProcessSolution<Real>& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.action, b.action);
  EXPECT_EQ(a.sweeps, b.sweeps);
  EXPECT_EQ(a.learning.visits, b.learning.visits);
  EXPECT_EQ(a.learning.unvisited_rows, b.learning.unvisited_rows);
  EXPECT_EQ(a.learning.explored_steps, b.learning.explored_steps);
  EXPECT_EQ(a.learning.episodes, b.learning.episodes);
}

}  // namespace tidewise::mdp::cases

#pragma once

#include <gtest/gtest.h>

#include "mdp/methods/functions.h"

namespace tidewise::mdp::cases {

/// Q-learning on the host.
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

/// Exact comparison.
template <class Real>
void expect_same(const ProcessSolution<Real>& one, const ProcessSolution<Real>& other) {
  EXPECT_EQ(one.value, other.value);
  EXPECT_EQ(one.action, other.action);
  EXPECT_EQ(one.sweeps, other.sweeps);
  EXPECT_EQ(one.learning.visits, other.learning.visits);
  EXPECT_EQ(one.learning.unvisited_rows, other.learning.unvisited_rows);
  EXPECT_EQ(one.learning.explored_steps, other.learning.explored_steps);
  EXPECT_EQ(one.learning.episodes, other.learning.episodes);
}

}  // namespace tidewise::mdp::cases

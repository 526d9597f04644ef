#pragma once

#include <algorithm>
#include <utility>

#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// Converts costs to rewards and back, because all methods maximize: the minimum expected cost is
/// minus the maximum expected negated reward.
template <class Real>
void negate_rewards(DecisionProcess<Real>& process) {
  const auto negate = [](auto& values) {
    for (Real& value : values) value = -value;
  };
  negate(process.reward);
  negate(process.entry_reward);
  negate(process.initial_value);
}

/// Converts a solution of the negated process to one of the process.
template <class Real>
void negate_rewards(ProcessSolution<Real>& solution) {
  for (Real& value : solution.value) value = Real{0} - value;  // no negative zero
  for (double& bound : solution.lower) bound = 0 - bound;
  for (double& bound : solution.upper) bound = 0 - bound;
  std::swap(solution.lower, solution.upper);
  solution.bounds = {0 - solution.bounds.upper, 0 - solution.bounds.lower};
}

}  // namespace tidewise::mdp

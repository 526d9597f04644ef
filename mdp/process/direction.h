#pragma once

#include <algorithm>
#include <utility>

#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// Makes rewards of costs, and back, for methods that all look for the greatest: the least expected
/// cost is the greatest expected reward with the sign turned.
template <class Real>
void turn(DecisionProcess<Real>& process) {
  const auto turn_all = [](auto& values) {
    for (Real& value : values) value = -value;
  };
  turn_all(process.reward);
  turn_all(process.entry_reward);
  turn_all(process.initial_value);
}

/// What was found for the turned process, of the process itself.
template <class Real>
void turn(ProcessSolution<Real>& solution) {
  for (Real& value : solution.value) value = Real{0} - value;  // no negative zero
  for (double& bound : solution.lower) bound = 0 - bound;
  for (double& bound : solution.upper) bound = 0 - bound;
  std::swap(solution.lower, solution.upper);
  solution.bounds = {0 - solution.bounds.upper, 0 - solution.bounds.lower};
}

}  // namespace tidewise::mdp

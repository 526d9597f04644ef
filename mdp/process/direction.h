#pragma once

#include <algorithm>
#include <utility>

#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Whether rewards are to be made as large as possible, as every method does, or, being costs, as
/// small.
enum class Direction { greatest, least };

/// Makes rewards of costs, and back: the least expected cost is the greatest expected reward with
/// the sign turned.
template <class Real>
void turn(DecisionProcess<Real>& process) {
  const auto turn_all = [](std::vector<Real>& values) {
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

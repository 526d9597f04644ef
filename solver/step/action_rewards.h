#pragma once

#include <cstdint>
#include <vector>

#include "solver/step/planning_problem.h"

namespace tidewise {

/// The part of the reward that depends on the action alone, told apart by its distinct values: one
/// outcome table serves all actions of a kind.
struct ActionRewards {
  std::vector<float> kind;            ///< distinct values
  std::vector<std::int32_t> kind_of;  ///< (action): place in `kind`

  ActionRewards() = default;
  ActionRewards(const PlanningProblem& problem, double step);
};

}  // namespace tidewise

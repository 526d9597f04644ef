#pragma once

#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What is to be planned: a mission, the actions that its vehicle may take, and how landings are
/// given to cells. Borrows the first two, which must outlive whatever keeps a copy.
struct PlanningProblem {
  const std::vector<Action>& actions;
  const Mission& mission;
  PositionRule rule;
};

}  // namespace tidewise

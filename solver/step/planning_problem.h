#pragma once

#include <vector>

#include "model_builder/step/actions.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What is to be planned: a mission, and the actions that its vehicle may take. Borrows both, which
/// must outlive whatever keeps a copy.
struct PlanningProblem {
  const std::vector<Action>& actions;
  const Mission& mission;
};

}  // namespace tidewise

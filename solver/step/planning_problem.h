#pragma once

#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise {

/// A planning problem: a mission, the actions of its vehicle and the rule that assigns positions to
/// cells. Borrows actions and mission, which must outlive it and its copies.
struct PlanningProblem {
  const std::vector<Action>& actions;
  const Mission& mission;
  PositionRule rule;
};

}  // namespace tidewise

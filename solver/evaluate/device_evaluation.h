#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// evaluate_policies() on the current device, with the same bits. Each level's counts are made once
/// for all members, and the steps of all members are launched together. `memory`: device memory
/// [B], in addition to about 300 bytes per cell; 0: a quarter of the free memory. It must hold at
/// least held_evaluation_memory() for each member that holds actions and one cell's counts. Members
/// that do not fit are evaluated slice after slice, counts part by part. `threads`: number of host
/// threads that read policies. Errors: those of evaluate_policies().
std::vector<MemberOutcome> evaluate_policies_on_device(DeviceEnvironment& environment,
                                                       const PositionRule& rule,
                                                       const std::vector<Action>& actions,
                                                       const std::vector<EvaluationMember>& members,
                                                       std::int32_t threads, Progress& progress,
                                                       std::size_t memory = 0);

/// Maximum memory of a mission that holds actions [B]. `fronts`: number of fronts of all its legs;
/// each leg has one for each action and one without an action.
constexpr std::size_t held_evaluation_memory(std::size_t cells, std::size_t fronts) {
  constexpr std::size_t front = 64;  // [B per cell]
  constexpr std::size_t step = 768;  // [B per cell]
  constexpr std::size_t with_rows = 2;
  return with_rows * (fronts * front + step) * cells;
}

}  // namespace tidewise

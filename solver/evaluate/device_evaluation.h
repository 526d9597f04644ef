#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// evaluate_policies() on the current device: the same bits. Each level's counts are made once for
/// all members, and a step of all of them is one piece of work. `memory`: what it may take on the
/// device beside some 300 bytes a cell [B], and held_evaluation_memory() at least for each member
/// that holds actions; members that do not fit go one slice after the other, and what is counted
/// goes in parts; no less than one cell's counts is taken. 0: a quarter of what is free. `threads`:
/// of the host, that read policies. Errors: those of evaluate_policies().
std::vector<MemberOutcome> evaluate_policies_on_device(DeviceEnvironment& environment,
                                                       const PositionRule& rule,
                                                       const std::vector<Action>& actions,
                                                       const std::vector<EvaluationMember>& members,
                                                       std::int32_t threads, Progress& progress,
                                                       std::size_t memory = 0);

/// What a mission that holds actions takes at most [B]. `fronts`: of all its legs, each of which
/// has one for every action and one for what has none.
constexpr std::size_t held_evaluation_memory(std::size_t cells, std::size_t fronts) {
  constexpr std::size_t front = 64;  // a cell
  constexpr std::size_t step = 768;  // a cell
  constexpr std::size_t with_rows = 2;
  return with_rows * (fronts * front + step) * cells;
}

}  // namespace tidewise

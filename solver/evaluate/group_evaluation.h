#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/induction/level_solver.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "tidewise/policy.h"

namespace tidewise {

/// One of several missions that share an environment and a set of actions, and the policy that it
/// follows. Both must outlive the evaluation; members may have the same policy.
struct EvaluationMember {
  const Mission* mission;
  const PolicySource* policy;
};

/// What came of a member.
struct MemberOutcome {
  ExpectedOutcome expected;
  /// What its policy threw, as where it has an action that does not exist: the others are not
  /// touched by it. Null where `expected` is valid.
  std::exception_ptr failure;
};

/// What a group's evaluation takes in memory.
struct EvaluationLimits {
  /// Of the members that are evaluated at once [B]; more go one slice after the other.
  std::size_t memory = std::size_t{1} << 30;
  /// Cells whose landings are held at once, a policy's each for itself; some dozens of landings of
  /// 12 bytes are usual.
  std::size_t landings = std::size_t{1} << 16;
};

/// Memory of members with that many fronts in all, at most and without the landings [B]. A mission
/// that holds actions has one front for each leg and action and one more for each leg; any other
/// mission has one for each leg.
std::size_t evaluation_memory(const Grid& grid, std::size_t fronts,
                              const EvaluationLimits& limits = {});

/// Pushes the probability mass of missions from their start cells at departure forward, level by
/// level, by the counts of each cell's policy action, in double, under the rules of OutcomeRule.
/// Harvest is reckoned for every objective where the environment has a scalar field. A cell without
/// an action that is no target is an obstacle. The same bits for any number of threads and members
/// and on every backend: a cell's mass is summed over where it comes from, and a cell's own
/// landings from south to north and west to east; sums over cells go by sum_over_cells
/// (solver/evaluate/expectation_accumulator.h). Each level is read once, a cell that holds mass of
/// any member is counted once, and a policy that several members follow is read once. Departures
/// and last levels may differ. Policies are read one at a time. `count`: counts from anywhere,
/// called back from `threads` threads; empty: those of the lattice engine. Errors: those of reading
/// and counting, which end the whole group; InputError when a displacement reaches 1024 cells.
std::vector<MemberOutcome> evaluate_policies(const EnvironmentReader& environment,
                                             const PositionRule& rule,
                                             const std::vector<Action>& actions,
                                             const std::vector<EvaluationMember>& members,
                                             std::int32_t threads, Progress& progress,
                                             const EvaluationLimits& limits = {},
                                             const CountLevel& count = {});

}  // namespace tidewise

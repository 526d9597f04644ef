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

/// One of several missions that share an environment and a set of actions, with the policy that it
/// follows. Both must outlive the evaluation; members may share a policy.
struct EvaluationMember {
  const Mission* mission;
  const PolicySource* policy;
};

/// Result of the evaluation of a member.
struct MemberOutcome {
  ExpectedOutcome expected;
  /// Error of this member's policy, for example an action that does not exist. It does not affect
  /// other members. Null if `expected` is valid.
  std::exception_ptr failure;
};

/// Memory limits of a group's evaluation.
struct EvaluationLimits {
  /// Memory of the members that are evaluated at once [B]; more members follow slice by slice.
  std::size_t memory = std::size_t{1} << 30;
  /// Number of cells whose landings are held at once, separately for each policy. A cell usually
  /// has some dozens of landings of 12 bytes.
  std::size_t landings = std::size_t{1} << 16;
};

/// Maximum memory of members with `fronts` fronts in all, without the landings [B]. A mission that
/// holds actions has, for each leg, one front for each action and one more; any other mission has
/// one front for each leg.
std::size_t evaluation_memory(const Grid& grid, std::size_t fronts,
                              const EvaluationLimits& limits = {});

/// Moves the probability mass of missions forward from their start cells at departure, level by
/// level, by the counts of each cell's policy action, in double, under the rules of OutcomeRule.
/// Harvest is computed for every objective if the environment has a scalar field. A cell without an
/// action that is not a target is an obstacle. The bits do not depend on the backend or the number
/// of threads and members. A cell's landings are processed from south to north and west to east;
/// its mass is summed over the cells that it comes from; sums over cells are those of
/// sum_over_cells() (solver/evaluate/expectation_accumulator.h). Each level is read once, a cell
/// that holds mass of any member is counted once, and a shared policy is read once. Departures and
/// last levels may differ. Policies are read one at a time. `count`: source of the counts, called
/// back from `threads` threads; empty: the lattice engine. Errors: those of reading and counting,
/// which end the whole group; InputError if a displacement reaches 1024 cells.
std::vector<MemberOutcome> evaluate_policies(const EnvironmentReader& environment,
                                             const PositionRule& rule,
                                             const std::vector<Action>& actions,
                                             const std::vector<EvaluationMember>& members,
                                             std::int32_t threads, Progress& progress,
                                             const EvaluationLimits& limits = {},
                                             const CountLevel& count = {});

}  // namespace tidewise

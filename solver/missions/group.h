#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "env/file/reader.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// One of several missions that share an environment and a set of actions, and the sink of its
/// policy. Both must outlive the solve. Members must have different sinks.
struct GroupMember {
  const Mission* mission;
  PolicySink* sink;
};

/// Results of a group.
struct GroupReport {
  SolveReport all;  ///< states, rows and transitions of all members; seconds of the whole pass
  /// (member): the error that ended a member before its level 0 (its value overflowed, or its sink
  /// threw); null for solved members. It does not affect the others.
  std::vector<std::exception_ptr> failure;
};

/// Calls work(0) … work(count − 1) from `threads` threads. `work` must not throw.
void for_each_member(std::size_t count, std::int32_t threads,
                     const std::function<void(std::size_t)>& work);

/// Solves one member after the other by `solve`, for members that cannot share counts.
GroupReport solve_one_by_one(const std::vector<GroupMember>& members,
                             const std::function<SolveReport(const GroupMember&)>& solve);

/// Backward induction for several missions: each level is read and counted once and backed up for
/// each member. Each sink receives, level by level from its mission's L to 0, the bits that
/// solve_mission() would pass; sinks are called one at a time. Start and departure are not used, so
/// missions that differ only in them need one member. Legs of a mission are solved in the same
/// pass. Requires that no member holds actions (Mission::decisions). Errors: those of reading and
/// counting, which end the whole group.
GroupReport solve_missions(const EnvironmentReader& environment, const PositionRule& rule,
                           const std::vector<Action>& actions,
                           const std::vector<GroupMember>& members, const PlannerOptions& options,
                           Progress& progress);

/// solve_missions() on the current device. `options.threads` threads call the sinks of several
/// members at once, each sink one call at a time. As many legs are solved together as fit into
/// `options.group_memory` (see solver/missions/memory.h), all legs of a mission together. Missions
/// are solved one by one if the memory does not hold two legs or all legs of a mission, or if the
/// environment has several depth profiles.
GroupReport solve_missions_on_device(DeviceEnvironment& environment, const PositionRule& rule,
                                     const std::vector<Action>& actions,
                                     const std::vector<GroupMember>& members,
                                     const PlannerOptions& options, Progress& progress);

}  // namespace tidewise

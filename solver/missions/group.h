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

/// One of several missions that share an environment and a set of actions, and where its policy
/// goes. Both must outlive the solve; no two members share a sink.
struct GroupMember {
  const Mission* mission;
  PolicySink* sink;
};

/// What came of a group.
struct GroupReport {
  SolveReport all;  ///< states, rows and transitions of all members; seconds of the whole pass
  /// What ended a member before its level 0: its own value overflowed, or its sink threw; null for
  /// those that were solved. The others are not touched by it. (member)
  std::vector<std::exception_ptr> failure;
};

/// Calls work(0) … work(count − 1), which throws nothing, by so many threads.
void for_each_member(std::size_t count, std::int32_t threads,
                     const std::function<void(std::size_t)>& work);

/// One member after the other, by whatever solves one: for what cannot share its counts.
GroupReport solve_one_by_one(const std::vector<GroupMember>& members,
                             const std::function<SolveReport(const GroupMember&)>& solve);

/// Backward induction for several missions at once: each level is read and counted once, and every
/// member backs it up for itself. Each sink gets the bits, level by level from its mission's L to
/// 0, that solve_mission() would have given it alone; sinks are called one at a time. Start and
/// departure take no part: missions that differ in nothing else need one member between them. Legs
/// of a mission are solved in the same pass. Errors: those of reading and counting, which end the
/// whole group. Requires that no member holds actions (Mission::decisions).
GroupReport solve_missions(const EnvironmentReader& environment, const PositionRule& rule,
                           const std::vector<Action>& actions,
                           const std::vector<GroupMember>& members, const PlannerOptions& options,
                           Progress& progress);

/// The same on the current device, as solve_mission_on_device() is to solve_mission(); the sinks of
/// several members are called at once, by `options.threads` threads, each one at a time. Legs are
/// taken as many at a time as `options.group_memory` holds (solver/missions/memory.h says what one
/// takes), all those of a mission together; missions one by one where it does not hold two legs or
/// all of a mission's, and where the environment has several depth profiles.
GroupReport solve_missions_on_device(DeviceEnvironment& environment, const PositionRule& rule,
                                     const std::vector<Action>& actions,
                                     const std::vector<GroupMember>& members,
                                     const PlannerOptions& options, Progress& progress);

}  // namespace tidewise

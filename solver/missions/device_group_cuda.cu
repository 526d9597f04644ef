#include <algorithm>

#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "solver/induction/device_induction.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/missions/device_solver.h"
#include "solver/missions/group.h"
#include "solver/missions/memory.h"

namespace tidewise {
namespace {

/// One pass over the levels for some members, several levels in flight at a time.
class GroupPass {
 public:
  /// failure: (member), of these members.
  GroupPass(DeviceEnvironment& environment, const PositionRule& rule,
            const std::vector<Action>& actions, View<const GroupMember> members,
            const PlannerOptions& options, std::size_t memory, View<std::exception_ptr> failure,
            Progress& progress)
      : environment_(environment),
        rule_(rule),
        actions_(actions),
        members_(members),
        failure_(failure),
        progress_(progress),
        threads_(options.threads),
        missions_(missions_of(members)),
        decided_(members.size, 0),
        solver_(environment.info(), rule_, actions, missions_, options.engine, memory) {}

  SolveReport run() {
    const Stopwatch total;
    const EnvironmentInfo& info = environment_.info();
    environment_.begin(levels_between(solver_.last(), TimeLevel(0)));
    progress_.begin("planning", solver_.last().value, "levels");
    for (TimeLevel k = solver_.last(); k.value >= 0 && some_go_on(); --k.value) {
      solver_.count(k, environment_.next(solver_.preparation_stream()));
      constexpr std::int32_t most_in_hand = 2;
      if (solver_.in_hand() == most_in_hand) back_up();
    }
    while (solver_.in_hand() > 0 && some_go_on()) back_up();
    while (solver_.in_flight() > 0 && some_go_on()) collect();
    if (some_go_on()) environment_.finish();
    progress_.end();
    for (std::size_t m = 0; m < members_.size; ++m) {
      if (failure_[m] != nullptr) continue;
      report_.states +=
          static_cast<std::int64_t>(info.grid.cell_count()) * (missions_[m]->last.value + 1);
      report_.rows += decided_[m] * static_cast<std::int64_t>(actions_.size());
    }
    report_.transitions = report_.rows * info.realization_count;
    report_.read_seconds = environment_.waited_seconds();
    report_.solve_seconds = total.seconds() - report_.read_seconds;
    return report_;
  }

 private:
  static std::vector<const Mission*> missions_of(View<const GroupMember> members) {
    std::vector<const Mission*> missions;
    for (const GroupMember& member : members) missions.push_back(member.mission);
    return missions;
  }

  /// Levels of members that have failed are of no use to anybody.
  bool some_go_on() const {
    return std::any_of(failure_.begin(), failure_.end(),
                       [](const std::exception_ptr& failure) { return failure == nullptr; });
  }

  void back_up() {
    if (solver_.in_flight() == DeviceGroupSolver::depth()) collect();
    const DeviceGroupSolver::BackedUp level = solver_.back_up();
    if (level.flow_refused) {
      environment_.finish();  // a level that could not be read is the better reason
      explain_refused_flow(environment_.reader(), rule_, actions_, missions_, level.level);
    }
    environment_.release(solver_.counting_stream());
  }

  void collect() {
    const SolvedGroupLevel solved = solver_.collect();
    for_each_member(members_.size, threads_, [&](std::size_t m) {
      const SolvedMember& member = solved.member[m];
      if (member.value.empty() || failure_[m] != nullptr) return;
      decided_[m] += member.decided;
      try {
        if (member.overflow) {
          with_file_in_error(environment_.reader(), [&] {
            refuse_overflow(environment_.info().grid, solved.level, member.value);
          });
        }
        members_[m].sink->accept(0, solved.level, member.action, member.value);
      } catch (...) {  // the others go on
        failure_[m] = std::current_exception();
      }
    });
    progress_.advance_to(solver_.last().value - solved.level.value);
  }

  DeviceEnvironment& environment_;
  PositionRule rule_;
  const std::vector<Action>& actions_;
  View<const GroupMember> members_;
  View<std::exception_ptr> failure_;
  Progress& progress_;
  std::int32_t threads_;
  std::vector<const Mission*> missions_;
  std::vector<std::int64_t> decided_;  // (member): cells, of all levels so far
  DeviceGroupSolver solver_;
  SolveReport report_;
};

/// Each by the solver of one.
GroupReport solve_each(DeviceEnvironment& environment, const PositionRule& rule,
                       const std::vector<Action>& actions, const std::vector<GroupMember>& members,
                       const PlannerOptions& options, Progress& progress) {
  GroupReport report;
  for (const GroupMember& member : members) {
    std::exception_ptr& failure = report.failure.emplace_back();
    const SolveReport one = solve_mission_on_device(environment, {actions, *member.mission, rule},
                                                    options, *member.sink, progress, &failure);
    if (failure == nullptr) report.all += one;
  }
  return report;
}

}  // namespace

GroupReport solve_missions_on_device(DeviceEnvironment& environment, const PositionRule& rule,
                                     const std::vector<Action>& actions,
                                     const std::vector<GroupMember>& members,
                                     const PlannerOptions& options, Progress& progress) {
  const std::size_t memory =
      options.group_memory > 0 ? options.group_memory : device_memory().free / 10 * 9;
  const std::size_t at_once =
      members_at_once(environment.info(), rule, actions.size(), members.size(), memory);
  // One alone has nothing to share, and a group's kernels count at one velocity.
  if (at_once < 2 || environment.info().velocities > 1) {
    return solve_each(environment, rule, actions, members, options, progress);
  }
  GroupReport report;
  report.failure.resize(members.size());
  // Passes of nearly the same size.
  const std::size_t passes = (members.size() + at_once - 1) / at_once;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const std::size_t first = members.size() * pass / passes;
    const std::size_t end = members.size() * (pass + 1) / passes;
    const View<const GroupMember> some{members.data() + first, end - first};
    report.all += GroupPass(environment, rule, actions, some, options, memory,
                            {report.failure.data() + first, some.size}, progress)
                      .run();
  }
  return report;
}

}  // namespace tidewise

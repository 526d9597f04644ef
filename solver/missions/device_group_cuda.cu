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
#include "solver/missions/legs.h"
#include "solver/missions/memory.h"

namespace tidewise {
namespace {

// One pass over the levels for all legs of some members, with several levels in flight.
class GroupPass {
 public:
  // `failure`: (member), receives the error that ends a member.
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
        legs_(members),
        decided_(legs_.missions.size(), 0),
        solver_(environment.info(), rule_, actions, legs_.missions, options.engine, memory,
                legs_.taken) {}

  SolveReport run() {
    const Stopwatch total;
    const EnvironmentInfo& info = environment_.info();
    environment_.begin(levels_between(solver_.last(), TimeLevel(0)));
    progress_.begin("planning", solver_.last().value, "levels");
    for (TimeLevel k = solver_.last(); k.value >= 0 && some_go_on(); --k.value) {
      solver_.count(k, environment_.next(solver_.preparation_stream()));
      constexpr std::int32_t max_awaiting_backup = 2;
      if (solver_.awaiting_backup() == max_awaiting_backup) back_up();
    }
    while (solver_.awaiting_backup() > 0 && some_go_on()) back_up();
    while (solver_.in_flight() > 0 && some_go_on()) collect();
    if (some_go_on()) environment_.finish();
    progress_.end();
    for (std::size_t n = 0; n < legs_.missions.size(); ++n) {
      if (failure_[legs_.of[n].member] != nullptr) continue;
      report_.states +=
          static_cast<std::int64_t>(info.grid.cell_count()) * (legs_.missions[n]->last.value + 1);
      report_.rows += decided_[n] * static_cast<std::int64_t>(actions_.size());
    }
    report_.transitions = report_.rows * info.realization_count;
    report_.read_seconds = environment_.waited_seconds();
    report_.solve_seconds = total.seconds() - report_.read_seconds;
    return report_;
  }

 private:
  // Levels of members that have failed are not needed.
  bool some_go_on() const {
    return std::any_of(failure_.begin(), failure_.end(),
                       [](const std::exception_ptr& failure) { return failure == nullptr; });
  }

  void back_up() {
    if (solver_.in_flight() == DeviceGroupSolver::depth()) collect();
    const DeviceGroupSolver::BackedUp level = solver_.back_up();
    if (level.flow_refused) {
      environment_.finish();  // an unreadable level is the more useful error
      explain_refused_flow(environment_.reader(), rule_, actions_, legs_.missions, level.level);
    }
    environment_.release(solver_.counting_stream());
  }

  void collect() {
    const SolvedGroupLevel solved = solver_.collect();
    for_each_member(members_.size, threads_, [&](std::size_t m) {
      for (std::size_t n = legs_.begin[m + 1]; n-- > legs_.begin[m];) {
        if (failure_[m] == nullptr) hand_over(solved, n);
      }
    });
    progress_.advance_to(solver_.last().value - solved.level.value);
  }

  // Passes the level of the n-th leg to the sink of its member.
  void hand_over(const SolvedGroupLevel& solved, std::size_t n) {
    const SolvedMember& leg = solved.member[n];
    if (leg.value.empty()) return;
    decided_[n] += leg.decided;
    const std::size_t m = legs_.of[n].member;
    try {
      if (leg.overflow) {
        with_file_in_error(environment_.reader(), [&] {
          refuse_overflow(environment_.info().grid, solved.level, leg.value);
        });
      }
      members_[m].sink->accept(legs_.of[n].leg, solved.level, leg.action, leg.value);
    } catch (...) {  // the other members go on
      failure_[m] = std::current_exception();
    }
  }

  DeviceEnvironment& environment_;
  PositionRule rule_;
  const std::vector<Action>& actions_;
  View<const GroupMember> members_;
  View<std::exception_ptr> failure_;
  Progress& progress_;
  std::int32_t threads_;
  GroupLegs legs_;
  std::vector<std::int64_t> decided_;  // (leg): number of cells, of all levels so far
  DeviceGroupSolver solver_;
  SolveReport report_;
};

std::size_t leg_count(const GroupMember& member) { return member.mission->via.size() + 1; }

}  // namespace

GroupReport solve_missions_on_device(DeviceEnvironment& environment, const PositionRule& rule,
                                     const std::vector<Action>& actions,
                                     const std::vector<GroupMember>& members,
                                     const PlannerOptions& options, Progress& progress) {
  const std::size_t memory =
      options.group_memory > 0 ? options.group_memory : device_memory().free / 10 * 9;
  std::size_t left = 0;  // number of legs
  for (const GroupMember& member : members) left += leg_count(member);
  // A group's kernels count with one velocity; missions with several profiles are solved one by
  // one.
  const std::size_t at_once =
      environment.info().velocities > 1
          ? 0
          : members_at_once(environment.info(), rule, actions.size(), left, memory);
  GroupReport report;
  report.failure.resize(members.size());
  for (std::size_t first = 0; first < members.size();) {
    // Makes passes of nearly equal size, each with complete missions.
    const std::size_t passes = at_once < 2 ? left : (left + at_once - 1) / at_once;
    const std::size_t room = (left + passes - 1) / passes;
    std::size_t legs = leg_count(members[first]);
    std::size_t end = first + 1;
    for (; end < members.size() && legs + leg_count(members[end]) <= room; ++end) {
      legs += leg_count(members[end]);
    }
    if (legs < 2 || legs > at_once) {  // a single leg shares nothing
      const GroupMember& member = members[first];
      std::exception_ptr& failure = report.failure[first];
      const SolveReport one = solve_mission_on_device(environment, {actions, *member.mission, rule},
                                                      options, *member.sink, progress, &failure);
      if (failure == nullptr) report.all += one;
    } else {
      report.all +=
          GroupPass(environment, rule, actions, {members.data() + first, end - first}, options,
                    memory, {report.failure.data() + first, end - first}, progress)
              .run();
    }
    first = end;
    left -= legs;
  }
  return report;
}

}  // namespace tidewise

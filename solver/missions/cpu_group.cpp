#include <algorithm>
#include <memory>
#include <utility>

#include "env/file/file_in_error.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"
#include "solver/induction/value_overflow.h"
#include "solver/missions/cpu_solver.h"
#include "solver/missions/group.h"
#include "solver/missions/legs.h"
#include "solver/pass/backward.h"

namespace tidewise {
namespace {

// Passes each member its levels. Keeps an error that ends one member; the others continue.
class LevelDelivery {
 public:
  LevelDelivery(const EnvironmentReader& environment, const std::vector<GroupMember>& members,
                const GroupLegs& legs, CpuGroupSolver& solver,
                std::vector<std::exception_ptr>& failure)
      : environment_(environment),
        members_(members),
        legs_(legs),
        solver_(solver),
        failure_(failure) {}

  void operator()(TimeLevel k, const LevelFields<>& fields) {
    solver_.hand_over(k, fields,
                      [&](std::size_t n, View<const std::int16_t> action, View<const float> value,
                          bool overflowed) {
                        const auto [member, leg] = legs_.of[n];
                        try {
                          if (overflowed) refuse(k, value);
                          members_[member].sink->accept(leg, k, action, value);
                        } catch (...) {
                          failure_[member] = std::current_exception();
                          drop(member);
                        }
                      });
  }

 private:
  void refuse(TimeLevel k, View<const float> value) const {
    with_file_in_error(environment_, [&] { refuse_overflow(environment_.info().grid, k, value); });
  }

  // Drops all legs of a member.
  void drop(std::size_t member) {
    for (std::size_t n = legs_.begin[member]; n < legs_.begin[member + 1]; ++n) solver_.drop(n);
  }

  const EnvironmentReader& environment_;
  const std::vector<GroupMember>& members_;
  const GroupLegs& legs_;
  CpuGroupSolver& solver_;
  std::vector<std::exception_ptr>& failure_;
};

// Scope of an exception in the pass: it ends the group or only the member.
enum class ErrorScope { group, member };

// Sets `error_scope` while a level solver works.
class WatchedSolver final : public LevelSolver {
 public:
  WatchedSolver(std::unique_ptr<LevelSolver> inner, ErrorScope& error_scope)
      : inner_(std::move(inner)), error_scope_(error_scope) {}
  void start(const LevelFields<>& fields) override { inner_->start(fields); }
  void step(TimeLevel k, const LevelFields<>& fields) override {
    inner_->step(k, fields);
    error_scope_ = ErrorScope::group;
  }
  std::int64_t decided() const override { return inner_->decided(); }
  void hand_over(TimeLevel k, PolicySink& sink) const override {
    error_scope_ = ErrorScope::member;
    inner_->hand_over(k, sink);
    error_scope_ = ErrorScope::group;
  }

 private:
  std::unique_ptr<LevelSolver> inner_;
  ErrorScope& error_scope_;
};

// A group with one member: nothing is shared, and the solver for one mission is some percent
// faster.
GroupReport solve_only_member(const EnvironmentReader& environment, const PositionRule& rule,
                              const std::vector<Action>& actions, const GroupMember& member,
                              const PlannerOptions& options, CountingEngine& engine,
                              Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const std::vector<std::uint32_t> weights = counting_weights(info, rule);
  ErrorScope error_scope = ErrorScope::group;
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& counts) {
    engine.count_level(level, weights, cells, counts);
    error_scope = ErrorScope::member;  // after counting, a step validates the values of this member
  };
  WatchedSolver solver(
      make_cpu_level_solver(info, {actions, *member.mission, rule}, options.threads, count),
      error_scope);
  GroupReport report;
  report.failure.resize(1);
  try {
    report.all =
        solve_levels(environment, *member.mission, actions.size(), solver, *member.sink, progress);
  } catch (...) {
    if (error_scope == ErrorScope::group) throw;
    report.failure[0] = std::current_exception();
  }
  return report;
}

}  // namespace

GroupReport solve_missions(const EnvironmentReader& environment, const PositionRule& rule,
                           const std::vector<Action>& actions,
                           const std::vector<GroupMember>& members, const PlannerOptions& options,
                           Progress& progress) {
  GroupReport report;
  report.failure.resize(members.size());
  if (members.empty()) return report;
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(options.engine, rule, info.grid, info.time, actions,
                                      options.threads, options.subgrid_radius);
  if (members.size() == 1) {
    return solve_only_member(environment, rule, actions, members[0], options, *engine, progress);
  }
  const GroupLegs legs(members);
  TimeLevel last(0);
  for (const GroupMember& member : members) last = std::max(last, member.mission->last);
  CpuGroupSolver solver(info, rule, actions, legs.missions, options.threads, legs.taken);
  LevelDelivery deliver(environment, members, legs, solver, report.failure);
  const auto solve = [&](TimeLevel k, const LevelFields<>& fields) {
    const Stopwatch solving;
    if (k < last) with_file_in_error(environment, [&] { solver.step(k, fields, *engine); });
    solver.begin(k);
    deliver(k, fields);
    report.all.solve_seconds += solving.seconds();
    return solver.lanes().any_present();
  };
  report.all.read_seconds = walk_backward(environment, last, "planning", progress, solve);
  for (std::size_t n = 0; n < legs.missions.size(); ++n) {
    if (report.failure[legs.of[n].member]) continue;
    report.all.states +=
        static_cast<std::int64_t>(info.grid.cell_count()) * (legs.missions[n]->last.value + 1);
    report.all.rows += solver.decided(n) * static_cast<std::int64_t>(actions.size());
  }
  report.all.transitions = report.all.rows * info.realization_count;
  return report;
}

}  // namespace tidewise

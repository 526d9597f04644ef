#include "solver/evaluate/to_go.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "solver/evaluate/policy_transitions.h"
#include "solver/flight/step_context.h"
#include "solver/induction/level_solver.h"
#include "solver/legs/legs.h"
#include "solver/pass/backward.h"

namespace tidewise {
namespace {

// Results of one leg at one level, from the counts of each cell: for every action if actions are
// held from the level before, otherwise for the policy's action.
class LegStep final : public CountSink {
 public:
  // `next_held`, `held`: (action, y, x), at the next level and at this one; empty if that level
  // decides.
  LegStep(const StepContext& context, double total, View<const ToGo> next,
          View<const ToGo> next_held, View<ToGo> to_go, View<ToGo> held)
      : context_(context),
        total_(total),
        next_(next),
        next_held_(next_held),
        to_go_(to_go),
        held_(held) {}

  void accept(std::int32_t /*thread*/, CellIndex cell, const CellTransitions& counts) override {
    const auto at = static_cast<std::size_t>(cell.value);
    for (std::int32_t a = 0; a < counts.action_count; ++a) {
      const std::int32_t action = counts.first_action + a;
      const bool is_taken = context_.policy[at] == action;
      if (!is_taken && held_.empty()) continue;
      const std::size_t action_begin = static_cast<std::size_t>(action) * to_go_.size;
      const ToGo result = expected_to_go(
          cell, counts, a, next_held_.empty() ? next_ : next_held_.part(action_begin, to_go_.size));
      if (is_taken) to_go_[at] = result;
      if (!held_.empty()) held_[action_begin + at] = result;
    }
  }

 private:
  ToGo expected_to_go(CellIndex cell, const CellTransitions& counts, std::int32_t a,
                      View<const ToGo> next) const {
    const Grid& grid = context_.rule.grid;
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    const double spent = context_.effect[static_cast<std::size_t>(counts.first_action + a)].spent;
    ToGo sum;
    for_each_landing(counts, a, [&](const Landing& landing) {
      const StepEnd end = context_.rule(column, row, landing.to);
      const double share = landing.count / total_;
      if (end.outcome == StepOutcome::arrived) {
        sum.arrival += share;
        sum.time += share * end.fraction * context_.step;
        sum.energy += share * end.fraction * spent;
      } else if (end.outcome == StepOutcome::under_way) {
        const std::int32_t to = field_cell(grid, column, row, landing.to);
        const ToGo& remaining = next[static_cast<std::size_t>(to)];
        sum.arrival += share * remaining.arrival;
        sum.time += share * (remaining.time + remaining.arrival * context_.step);
        sum.energy += share * (remaining.energy + remaining.arrival * spent);
      }
    });
    return sum;
  }

  const StepContext& context_;
  double total_;  // row_total()
  View<const ToGo> next_;
  View<const ToGo> next_held_;
  View<ToGo> to_go_;
  View<ToGo> held_;
};

// The sweep, from the last level to the first.
class Sweep {
 public:
  Sweep(const EnvironmentReader& environment, const PlanningProblem& problem,
        const PolicySource& policy, std::int32_t threads)
      : info_(environment.info()),
        mission_(problem.mission),
        policy_(policy),
        total_(row_total(info_, problem.rule)),
        effects_(action_effects(problem, info_.time.step)),
        legs_(leg_missions(problem.mission)),
        count_(count_by_engine(Engine::lattice, info_, problem.rule, problem.actions, threads)),
        action_(static_cast<std::size_t>(info_.grid.cell_count())) {
    for (Mission& leg : legs_) leg.begun = 0;  // only whole steps are swept
    to_go_.assign(legs_.size(), std::vector<ToGo>(action_.size()));
    next_ = to_go_;
    const std::size_t held = mission_.decisions.hold() ? effects_.size() * action_.size() : 0;
    held_.assign(legs_.size(), std::vector<ToGo>(held));
    next_held_ = held_;
  }

  // Level L: in the target the vehicle has arrived.
  void start(const LevelView& level) { set_boundary(mission_.last, level); }

  // The step from k, with fields `now`, to k+1.
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::swap(to_go_, next_);
    std::swap(held_, next_held_);
    for (std::size_t leg = 0; leg < legs_.size(); ++leg) step_leg(leg, k, now, next);
    set_boundary(k, now);
  }

  View<const ToGo> first_leg() const { return to_go_.front(); }

 private:
  // True if a vehicle under way at level k holds the action of the step before.
  bool holds(TimeLevel k) const { return mission_.decisions.since(k) > 0; }

  void step_leg(std::size_t leg, TimeLevel k, const LevelView& now, const LevelView& next) {
    std::fill(to_go_[leg].begin(), to_go_[leg].end(), ToGo());
    read_policy(policy_.leg(leg), k, effects_.size(), action_);
    cells_.clear();
    for (std::size_t cell = 0; cell < action_.size(); ++cell) {
      if ((action_[cell] != no_action || holds(k)) && now.masked[cell] == 0) {
        cells_.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
    const View<const std::int16_t> action = action_;
    const StepContext context =
        make_step_context(info_, legs_[leg], k, now, next, {legs_[leg].target, action, effects_});
    View<const ToGo> next_held;
    View<ToGo> held;
    if (holds(TimeLevel(k.value + 1))) next_held = next_held_[leg];
    if (holds(k)) {
      std::fill(held_[leg].begin(), held_[leg].end(), ToGo());
      held = held_[leg];
    }
    LegStep step(context, total_, next_[leg], next_held, to_go_[leg], held);
    count_(k, now, cells_, step);
  }

  // Sets results where no step is made: in the target, and at a via point, where the next leg
  // begins.
  void set_boundary(TimeLevel k, const LevelView& level) {
    std::vector<ToGo>& last = to_go_.back();
    for (std::size_t cell = 0; cell < action_.size(); ++cell) {
      if (mission_.target[cell] != 0 && level.masked[cell] == 0) last[cell] = {1, 0, 0};
    }
    if (!(k < mission_.last)) return;
    for (std::size_t leg = legs_.size() - 1; leg-- > 0;) {
      for (const std::int32_t cell : mission_.via[leg].cells) {
        const auto at = static_cast<std::size_t>(cell);
        to_go_[leg][at] = to_go_[leg + 1][at];
        for (std::size_t n = at; n < held_[leg].size(); n += action_.size()) {
          held_[leg][n] = held_[leg + 1][n];
        }
      }
    }
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  const PolicySource& policy_;
  double total_;
  std::vector<ActionEffect> effects_;
  std::vector<Mission> legs_;
  CountLevel count_;
  std::vector<std::vector<ToGo>> to_go_;  // (leg, y, x), at the current level
  std::vector<std::vector<ToGo>> next_;   // (leg, y, x), at the next level
  std::vector<std::vector<ToGo>> held_;   // (leg, action, y, x): results with each held action
  std::vector<std::vector<ToGo>> next_held_;
  std::vector<std::int16_t> action_;  // (y, x), of the current leg
  std::vector<CellIndex> cells_;      // cells with an action
};

}  // namespace

void sweep_to_go(const EnvironmentReader& environment, const PlanningProblem& problem,
                 const PolicySource& policy, std::int32_t threads, Progress& progress,
                 const ToGoSink& sink) {
  const Mission& mission = problem.mission;
  const EnvironmentInfo& info = environment.info();
  Sweep sweep(environment, problem, policy, threads);
  LevelFields<> after(info);
  walk_backward(environment, mission.last, "sweeping the policy", progress,
                [&](TimeLevel k, LevelFields<>& now) {
                  if (k == mission.last) {
                    sweep.start(now.view(info));
                  } else {
                    sweep.step(k, now.view(info), after.view(info));
                  }
                  sink(k, sweep.first_leg(), now.view(info).masked);
                  std::swap(after, now);
                  return true;
                });
}

}  // namespace tidewise

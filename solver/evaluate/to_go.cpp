#include "solver/evaluate/to_go.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model_builder/engines.h"
#include "solver/error/codes.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/flight/step_context.h"
#include "solver/legs/legs.h"
#include "solver/pass/backward.h"

namespace tidewise {
namespace {

/// All that the sweep of one leg needs at a level.
struct LegStep {
  const StepContext& context;
  double total;  // row_total()
  View<const ToGo> next;

  /// What the landings of a cell come to.
  ToGo from(CellIndex cell, const std::vector<Landing>& landings) const {
    const Grid& grid = context.rule.grid;
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    const auto at = static_cast<std::size_t>(cell.value);
    const double spent = context.effect[static_cast<std::size_t>(context.policy[at])].spent;
    ToGo sum;
    for (const Landing& landing : landings) {
      const StepEnd end = context.rule(column, row, landing.to);
      const double share = landing.count / total;
      if (end.outcome == StepOutcome::arrived) {
        sum.arrival += share;
        sum.time += share * end.fraction * context.step;
        sum.energy += share * end.fraction * spent;
      } else if (end.outcome == StepOutcome::under_way) {
        const std::int32_t to = field_cell(grid, column, row, landing.to);
        const ToGo& then = next[static_cast<std::size_t>(to)];
        sum.arrival += share * then.arrival;
        sum.time += share * (then.time + then.arrival * context.step);
        sum.energy += share * (then.energy + then.arrival * spent);
      }
    }
    return sum;
  }
};

/// The sweep, level by level from the last on.
class Sweep {
 public:
  Sweep(const EnvironmentReader& environment, const PlanningProblem& problem,
        const PolicySource& policy, std::int32_t threads)
      : info_(environment.info()),
        mission_(problem.mission),
        policy_(policy),
        threads_(threads),
        total_(row_total(info_, problem.rule)),
        effects_(action_effects(problem, info_.time.step)),
        legs_(leg_missions(problem.mission)),
        engine_(make_cpu_engine(Engine::lattice, problem.rule, info_.grid, info_.time,
                                problem.actions, threads)),
        weights_(counting_weights(info_, problem.rule)),
        action_(static_cast<std::size_t>(info_.grid.cell_count())) {
    for (Mission& leg : legs_) leg.begun = 0;  // whole steps alone are swept
    to_go_.assign(legs_.size(), std::vector<ToGo>(action_.size()));
    next_ = to_go_;
  }

  /// L: who is in the target has arrived.
  void start(const LevelView& level) { settle(mission_.last, level); }

  /// The step from k, whose fields are `now`, to k+1.
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::swap(to_go_, next_);
    for (std::size_t leg = 0; leg < legs_.size(); ++leg) step_leg(leg, k, now, next);
    settle(k, now);
  }

  View<const ToGo> first_leg() const { return to_go_.front(); }

 private:
  void step_leg(std::size_t leg, TimeLevel k, const LevelView& now, const LevelView& next) {
    std::vector<ToGo>& here = to_go_[leg];
    std::fill(here.begin(), here.end(), ToGo());
    read_policy(policy_.leg(leg), k, effects_.size(), action_);
    cells_.clear();
    for (std::size_t cell = 0; cell < action_.size(); ++cell) {
      if (action_[cell] != no_action && now.masked[cell] == 0) {
        cells_.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
    const View<const std::int16_t> action = action_;
    landings_.expect(cells_, action);
    engine_->count_level(now, weights_, cells_, landings_);
    const StepContext context =
        make_step_context(info_, legs_[leg], k, now, next, {legs_[leg].target, action, effects_});
    const LegStep step{context, total_, next_[leg]};
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t n = 0; n < cells_.size(); ++n) {
      here[static_cast<std::size_t>(cells_[n].value)] =
          step.from(cells_[n], landings_.of(cells_[n]));
    }
  }

  /// Where no step is to be made: in the target, and in a place to pass, where the next leg begins.
  void settle(TimeLevel k, const LevelView& level) {
    std::vector<ToGo>& last = to_go_.back();
    for (std::size_t cell = 0; cell < action_.size(); ++cell) {
      if (mission_.target[cell] != 0 && level.masked[cell] == 0) last[cell] = {1, 0, 0};
    }
    if (!(k < mission_.last)) return;
    for (std::size_t leg = legs_.size() - 1; leg-- > 0;) {
      for (const std::int32_t cell : mission_.via[leg].cells) {
        to_go_[leg][static_cast<std::size_t>(cell)] =
            to_go_[leg + 1][static_cast<std::size_t>(cell)];
      }
    }
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  const PolicySource& policy_;
  std::int32_t threads_;
  double total_;
  std::vector<ActionEffect> effects_;
  std::vector<Mission> legs_;
  std::unique_ptr<CountingEngine> engine_;
  std::vector<std::uint32_t> weights_;
  std::vector<std::vector<ToGo>> to_go_;  // (leg, y, x), at the level at work
  std::vector<std::vector<ToGo>> next_;   // at the one after it
  std::vector<std::int16_t> action_;      // (y, x), of the leg at work
  std::vector<CellIndex> cells_;          // that take an action
  PolicyTransitions landings_;
};

}  // namespace

void sweep_to_go(const EnvironmentReader& environment, const PlanningProblem& problem,
                 const PolicySource& policy, std::int32_t threads, Progress& progress,
                 const ToGoSink& sink) {
  const Mission& mission = problem.mission;
  if (mission.decisions.hold()) {
    throw input_error(errors::time_to_go_with_held_actions);
  }
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

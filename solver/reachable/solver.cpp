#include "solver/reachable/solver.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "model_builder/engines.h"
#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/induction/value_overflow.h"
#include "solver/policy/next_leg.h"
#include "solver/reachable/worth_bounds.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"

namespace tidewise {
namespace {

std::size_t cell_count_of(const EnvironmentInfo& info) {
  return static_cast<std::size_t>(info.grid.cell_count());
}

/// (y, x), 1 in the cells of the place where a leg ends; empty for the last leg.
std::vector<std::uint8_t> ends_of(const EnvironmentInfo& info, const Mission& mission) {
  if (!mission.next) return {};
  return place_plane(info.grid, mission.next->cells());
}

/// Hands counts on to two sinks.
class BothSinks final : public CountSink {
 public:
  BothSinks(CountSink& first, CountSink& second) : first_(first), second_(second) {}
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override {
    first_.accept(thread, cell, counts);
    second_.accept(thread, cell, counts);
  }

 private:
  CountSink& first_;
  CountSink& second_;
};

/// v of a level and of the one after it, and the action, (y, x). The whole grid's; outside of what
/// is solved they hold what is left there of other levels: any finite number, for what is not
/// landed on is counted 0 times and 0 · W adds nothing (solver/backup/expectation.h).
struct Planes {
  Array<float> value;
  Array<float> value_next;
  Array<std::int16_t> action;
  Array<float> held;  // what each action is worth that is held on, (action, y, x)
  Array<float> held_next;

  /// `held_count`: actions that may be held; 0 where none is.
  void begin(std::size_t cell_count, std::size_t held_count) {
    if (value.empty()) {
      value = Array<float>(cell_count);
      value_next = Array<float>(cell_count);
      action = Array<std::int16_t>(cell_count);
      held = Array<float>(held_count * cell_count);
      held_next = Array<float>(held.size());
    }
    for (Array<float>* plane : {&value, &value_next, &held, &held_next}) {
      std::fill(plane->begin(), plane->end(), 0.0F);
    }
  }
  /// Goes on to the level before.
  void advance() {
    std::swap(value, value_next);
    std::swap(held, held_next);
  }
  void set(CellIndex cell, float worth) {
    value[static_cast<std::size_t>(cell.value)] = worth;
    action[static_cast<std::size_t>(cell.value)] = no_action;
  }
};

}  // namespace

/// Backward induction over some cells of each level.
class ReachableSolver::Pass {
 public:
  Pass(const EnvironmentInfo& info, const PlanningProblem& problem, const PlannerOptions& options)
      : info_(info),
        problem_(problem),
        threads_(options.threads),
        finder_(info, problem, options.threads),
        engine_(make_cpu_engine(options.engine, problem.rule, info.grid, info.time, problem.actions,
                                options.threads, options.subgrid_radius)),
        weights_(counting_weights(info, problem.rule)),
        inverse_count_(inverse_count(row_total(info, problem.rule))),
        rewards_(problem, info.time.step),
        ends_(ends_of(info, problem.mission)),
        masked_next_(cell_count_of(info)),
        scalar_next_(info.has_scalar ? cell_count_of(info) : 0) {}

  const EnvironmentInfo& info() const { return info_; }
  const Mission& mission() const { return problem_.mission; }
  std::size_t action_count() const { return problem_.actions.size(); }
  const std::vector<float>& step_rewards() const { return rewards_.kind; }
  ReachFinder& finder() { return finder_; }
  bool harvests() const {
    return harvest_factor(mission().objective, mission().energy, info_.time.step) != 0;
  }

  enum class Sides { one, both };
  void begin(Sides sides) {
    sides_ = sides;
    const std::size_t held = mission().decisions.hold() ? action_count() : 0;
    lower_.begin(cell_count_of(info_), held);
    if (sides == Sides::both) upper_.begin(cell_count_of(info_), held);
    obstacles_.reset();
  }

  /// Level L, where time is up.
  void start(View<const CellIndex> cells) {
    const BoundaryValue at_boundary = boundary_value(info_, mission());
    for (const CellIndex cell : cells) {
      const float late = at_boundary.late(cell.value);
      lower_.set(cell, late);
      if (sides_ == Sides::both) upper_.set(cell, late);
    }
  }

  /// Goes on to the level before.
  void advance() {
    lower_.advance();
    if (sides_ == Sides::both) upper_.advance();
  }
  /// What cells of the level are worth that are not solved.
  void bound(View<const CellIndex> cells, float least, float greatest) {
    for (const CellIndex cell : cells) {
      lower_.set(cell, least);
      upper_.set(cell, greatest);
    }
  }
  /// Solves these. Gives how many were decided on.
  std::size_t solve(TimeLevel k, const LevelView& level, View<const CellIndex> cells) {
    constexpr float nothing_yet = -std::numeric_limits<float>::infinity();
    decided_.clear();
    for (const CellIndex cell : cells) {
      if (!ends_.empty() && ends_[at(cell)] != 0) continue;  // the next leg's to decide on
      lower_.set(cell, nothing_yet);
      if (sides_ == Sides::both) upper_.set(cell, nothing_yet);
      decided_.push_back(cell);
    }
    // Obstacles that stay where they are need their table once.
    if (!obstacles_ || info_.obstacles == Obstacles::moving) {
      obstacles_.emplace(info_.grid, level.masked, masked_next_);
    }
    LevelBackup backup = backup_of(k, level, lower_);
    if (sides_ == Sides::both) {
      LevelBackup upper = backup_of(k, level, upper_);
      BothSinks sinks(backup, upper);
      engine_->count_level(level, weights_, decided_, sinks);
    } else {
      engine_->count_level(level, weights_, decided_, backup);
    }
    if (mission().margin > 0) add_nearness(k, level);
    if (std::any_of(decided_.begin(), decided_.end(),
                    [&](CellIndex cell) { return !std::isfinite(lower_.value[at(cell)]); })) {
      refuse_overflow(info_.grid, k, std::as_const(lower_.value).view());
    }
    if (mission().next) mission().next->take_over(k, lower_.action, lower_.value);
    return decided_.size();
  }
  /// The last thing that is done at a level.
  void keep(const LevelView& level) {
    std::copy(level.masked.begin(), level.masked.end(), masked_next_.begin());
    std::copy(level.scalar.begin(), level.scalar.end(), scalar_next_.begin());
  }

  float value(CellIndex cell) const { return lower_.value[at(cell)]; }
  std::int16_t action(CellIndex cell) const { return lower_.action[at(cell)]; }
  /// Whether both sides have come to the same.
  bool is_certain(CellIndex cell) const {
    return lower_.action[at(cell)] == upper_.action[at(cell)] &&
           lower_.value[at(cell)] == upper_.value[at(cell)];
  }

 private:
  static std::size_t at(CellIndex cell) { return static_cast<std::size_t>(cell.value); }

  /// Adds what the places of the cells that were decided on cost the plan.
  void add_nearness(TimeLevel k, const LevelView& level) {
    const NearnessPrices prices({info_.grid, nearness_price(mission()), level.masked, masked_next_},
                                *obstacles_);
    for (Planes* side : {&lower_, &upper_}) {
      if (side == &upper_ && sides_ == Sides::one) continue;
      add_prices(prices, decided_, info_.grid, side->value);
      add_prices(prices, decided_, info_.grid,
                 held_actions(mission(), k, side->held_next, side->held).now);
    }
  }

  LevelBackup backup_of(TimeLevel k, const LevelView& level, Planes& side) const {
    const OutcomeRule rule =
        outcome_rule(info_, mission(), k, mission().target,
                     {level.masked, masked_next_, level.scalar, scalar_next_, side.value_next});
    return {rule,           rewards_,
            inverse_count_, threads_,
            *obstacles_,    side.value,
            side.action,    held_actions(mission(), k, side.held_next, side.held)};
  }

  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  std::int32_t threads_;
  ReachFinder finder_;
  std::unique_ptr<CountingEngine> engine_;
  std::vector<std::uint32_t> weights_;
  float inverse_count_;
  ActionRewards rewards_;
  std::vector<std::uint8_t> ends_;  // (y, x), or empty: where the leg ends
  std::optional<ObstacleIndex> obstacles_;
  Sides sides_ = Sides::one;
  Planes lower_;  // or all there is
  Planes upper_;
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  std::vector<CellIndex> decided_;
};

ReachableSolver::ReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                                 const PlannerOptions& options)
    : pass_(std::make_unique<Pass>(info, problem, options)) {}

ReachableSolver::~ReachableSolver() = default;

SolveReport ReachableSolver::solve_reached(LevelSource& levels, ReachablePolicy& policy,
                                           Progress& progress) {
  const Stopwatch solving;
  const ReachableCells& reach = policy.reach_;
  policy.action_.resize(reach.size());
  policy.value_.resize(reach.size());
  pass_->begin(Pass::Sides::one);
  SolveReport report;
  report.states = static_cast<std::int64_t>(reach.size());
  const TimeLevel last = pass_->mission().last;
  progress.begin("planning", last.value - reach.first().value, "levels");
  for (TimeLevel k = last; k >= reach.first(); --k.value) {
    const View<const CellIndex> cells = reach.of(k);
    // Where everything has ended there is nothing to solve, but what it ended in may be closed.
    if (!cells.empty() || !reach.of(TimeLevel(k.value - 1)).empty()) {
      const LevelView level = levels.level(k);
      if (k == last) {
        pass_->start(cells);
      } else {
        pass_->advance();
        report.rows += static_cast<std::int64_t>(pass_->solve(k, level, cells));
      }
      pass_->keep(level);
      std::size_t place = reach.begin(k);
      for (const CellIndex cell : cells) {
        policy.action_[place] = pass_->action(cell);
        policy.value_[place++] = pass_->value(cell);
      }
    }
    progress.advance_to(last.value - k.value);
  }
  progress.end();
  report.rows *= static_cast<std::int64_t>(pass_->action_count());
  report.transitions = report.rows * pass_->info().realization_count;
  report.solve_seconds = solving.seconds();
  return report;
}

ReachableReport ReachableSolver::solve(LevelSource& levels, const StartState& from,
                                       ReachablePolicy& policy, Progress& progress) {
  ReachableReport report;
  const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
    if (k == from.level) cells.push_back(from.cell);
  };
  const Stopwatch finding;
  pass_->finder().find(levels, from.level, pass_->mission().last, entries, {}, policy.reach_,
                       progress);
  report.reach_seconds = finding.seconds();
  report.solve = solve_reached(levels, policy, progress);
  return report;
}

ReachableReport ReachableSolver::solve_arriving_by(LevelSource& levels, const StartState& from,
                                                   TimeLevel latest, ReachablePolicy& policy,
                                                   Progress& progress) {
  // What an action is worth that is held on has no bounds of this kind.
  if (pass_->harvests() || pass_->mission().decisions.hold()) {
    return solve(levels, from, policy, progress);
  }
  ReachableReport report;
  const Stopwatch finding;
  ReachableCells reach;
  const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
    if (k == from.level) cells.push_back(from.cell);
  };
  pass_->finder().find(levels, from.level, latest, entries, {}, reach, progress);
  const ReachableCells solved = pass_->finder().keep_arriving(levels, latest, reach);
  report.reach_seconds = finding.seconds();

  const Stopwatch solving;
  const TimeLevel last = pass_->mission().last;
  const WorthBounds bounds(pass_->info(), pass_->mission(), pass_->step_rewards(), latest,
                           pass_->finder().widest_window());
  const std::int32_t steps = latest.value - from.level.value;
  std::vector<std::vector<CellIndex>> certain(static_cast<std::size_t>(steps) + 1);
  std::vector<std::vector<std::int16_t>> action(certain.size());
  std::vector<std::vector<float>> value(certain.size());
  std::vector<CellIndex> others;
  pass_->begin(Pass::Sides::both);
  progress.begin("planning", steps, "levels");
  for (TimeLevel k = latest; k >= from.level; --k.value) {
    const View<const CellIndex> all = reach.of(k);
    if (!all.empty() || !reach.of(TimeLevel(k.value - 1)).empty()) {
      const LevelView level = levels.level(k);
      if (k < latest) pass_->advance();
      const View<const CellIndex> cells = solved.of(k);
      if (k == last) {
        pass_->start(cells);
      } else {
        others.clear();
        std::set_difference(all.begin(), all.end(), cells.begin(), cells.end(),
                            std::back_inserter(others));
        pass_->bound(others, bounds.least(k), bounds.greatest(k));
        if (!cells.empty()) {
          report.solve.rows += static_cast<std::int64_t>(pass_->solve(k, level, cells));
        }
      }
      pass_->keep(level);
      const auto n = static_cast<std::size_t>(k.value - from.level.value);
      for (const CellIndex cell : cells) {
        if (!pass_->is_certain(cell)) continue;
        certain[n].push_back(cell);
        action[n].push_back(pass_->action(cell));
        value[n].push_back(pass_->value(cell));
      }
    }
    progress.advance_to(latest.value - k.value);
  }
  progress.end();
  policy.reach_ = ReachableCells(from.level, certain);
  policy.action_.clear();
  policy.value_.clear();
  for (std::size_t n = 0; n < certain.size(); ++n) {
    policy.action_.insert(policy.action_.end(), action[n].begin(), action[n].end());
    policy.value_.insert(policy.value_.end(), value[n].begin(), value[n].end());
  }
  report.solve.states = static_cast<std::int64_t>(solved.size());
  report.solve.rows *= static_cast<std::int64_t>(pass_->action_count());
  report.solve.transitions = report.solve.rows * pass_->info().realization_count;
  report.solve.solve_seconds = solving.seconds();
  return report;
}

}  // namespace tidewise

#include "solver/confined/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "model_builder/engines.h"
#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/induction/value_overflow.h"
#include "solver/policy/next_leg.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"

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

}  // namespace

/// Backward induction over the cells of a reach. Planes are the whole grid's, and outside the reach
/// hold what is left there of other levels: any finite number, for what is not landed on is counted
/// 0 times and 0 · W adds nothing (solver/backup/expectation.h).
class ConfinedSolver::Pass {
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
        value_(cell_count_of(info)),
        value_next_(cell_count_of(info)),
        action_(cell_count_of(info)),
        masked_next_(cell_count_of(info)),
        scalar_next_(info.has_scalar ? cell_count_of(info) : 0) {}

  const Mission& mission() const { return problem_.mission; }
  std::size_t action_count() const { return problem_.actions.size(); }
  std::int32_t realization_count() const { return info_.realization_count; }
  ReachFinder& finder() { return finder_; }

  void begin() {
    std::fill(value_.begin(), value_.end(), 0.0F);
    std::fill(value_next_.begin(), value_next_.end(), 0.0F);
    obstacles_.reset();
  }

  /// Level L, where time is up, or a level in which nobody is: there are no cells.
  void start(const LevelView& level, View<const CellIndex> cells) {
    const BoundaryValue at_boundary = boundary_value(info_, mission());
    for (const CellIndex cell : cells) {
      value_[at(cell)] = at_boundary.late(cell.value);
      action_[at(cell)] = no_action;
    }
    keep(level);
  }

  /// The level before. Gives how many cells were decided on.
  std::size_t step(TimeLevel k, const LevelView& level, View<const CellIndex> cells) {
    std::swap(value_, value_next_);
    decided_.clear();
    for (const CellIndex cell : cells) {
      if (!ends_.empty() && ends_[at(cell)] != 0) continue;  // the next leg's to decide on
      value_[at(cell)] = -std::numeric_limits<float>::infinity();
      action_[at(cell)] = no_action;
      decided_.push_back(cell);
    }
    const OutcomeRule rule =
        outcome_rule(info_, mission(), k, mission().target,
                     {level.masked, masked_next_, level.scalar, scalar_next_, value_next_});
    // Obstacles that stay where they are need their table once.
    if (!obstacles_ || info_.obstacles == Obstacles::moving) {
      obstacles_.emplace(info_.grid, level.masked, masked_next_);
    }
    LevelBackup backup(rule, rewards_, inverse_count_, threads_, *obstacles_, value_, action_);
    engine_->count_level(level, weights_, decided_, backup);
    if (std::any_of(decided_.begin(), decided_.end(),
                    [&](CellIndex cell) { return !std::isfinite(value_[at(cell)]); })) {
      refuse_overflow(info_.grid, k, std::as_const(value_).view());
    }
    if (mission().next) mission().next->take_over(k, action_, value_);
    keep(level);
    return decided_.size();
  }

  float value(CellIndex cell) const { return value_[at(cell)]; }
  std::int16_t action(CellIndex cell) const { return action_[at(cell)]; }

 private:
  static std::size_t at(CellIndex cell) { return static_cast<std::size_t>(cell.value); }

  void keep(const LevelView& level) {
    std::copy(level.masked.begin(), level.masked.end(), masked_next_.begin());
    std::copy(level.scalar.begin(), level.scalar.end(), scalar_next_.begin());
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
  Array<float> value_;               // (y, x)
  Array<float> value_next_;          // (y, x)
  Array<std::int16_t> action_;       // (y, x)
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  std::vector<CellIndex> decided_;
};

ConfinedSolver::ConfinedSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                               const PlannerOptions& options)
    : pass_(std::make_unique<Pass>(info, problem, options)) {}

ConfinedSolver::~ConfinedSolver() = default;

SolveReport ConfinedSolver::solve_reached(LevelSource& levels, ConfinedPolicy& policy,
                                          Progress& progress) {
  const Stopwatch solving;
  const ReachableCells& reach = policy.reach_;
  policy.action_.resize(reach.size());
  policy.value_.resize(reach.size());
  pass_->begin();
  SolveReport report;
  report.states = static_cast<std::int64_t>(reach.size());
  const TimeLevel last = pass_->mission().last;
  progress.begin("planning", last.value - reach.first().value, "levels");
  for (TimeLevel k = last; k >= reach.first(); --k.value) {
    const View<const CellIndex> cells = reach.of(k);
    // Where everything has ended there is nothing to solve, but what it ended in may be closed.
    if (!cells.empty() || !reach.of(TimeLevel(k.value - 1)).empty()) {
      const LevelView level = levels.level(k);
      if (k == last || cells.empty()) {
        pass_->start(level, cells);
      } else {
        report.rows += static_cast<std::int64_t>(pass_->step(k, level, cells));
      }
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
  report.transitions = report.rows * pass_->realization_count();
  report.solve_seconds = solving.seconds();
  return report;
}

ConfinedReport ConfinedSolver::solve(LevelSource& levels, const Whereabouts& from,
                                     ConfinedPolicy& policy, Progress& progress) {
  ConfinedReport report;
  const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
    if (k == from.level) cells.push_back(from.cell);
  };
  const Stopwatch finding;
  pass_->finder().find(levels, from.level, entries, {}, policy.reach_, progress);
  report.reach_seconds = finding.seconds();
  report.solve = solve_reached(levels, policy, progress);
  return report;
}

}  // namespace tidewise

#include "solver/reachable/solver.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "env/row_window.h"
#include "model_builder/engines.h"
#include "solver/induction/cpu_level_solver.h"
#include "solver/pass/backward.h"
#include "solver/reachable/legs.h"
#include "solver/reachable/worth_bounds.h"
#include "solver/step/reward.h"

namespace tidewise {

/// Backward induction over some cells of each level.
class ReachableSolver::Pass {
 public:
  Pass(const EnvironmentInfo& info, const PlanningProblem& problem, const PlannerOptions& options,
       std::size_t first_leg, Currents currents)
      : info_(info),
        problem_(problem),
        threads_(options.threads),
        first_leg_(first_leg),
        finder_(info, problem_, options.threads, first_leg, currents),
        engine_(make_cpu_engine(options.engine, problem.rule, info.grid, info.time, problem.actions,
                                options.threads, options.subgrid_radius)),
        weights_(counting_weights(info, problem.rule)) {}

  ReachableReport solve(LevelSource& levels, const StartState& from,
                        std::vector<ReachablePolicy>& policies, Progress& progress) {
    ReachableReport report;
    const Stopwatch finding;
    std::vector<ReachableCells> reach = finder_.find(levels, from, progress);
    report.reach_seconds = finding.seconds();
    const Stopwatch solving;
    policies.resize(reach.size());
    for (std::size_t n = 0; n < reach.size(); ++n) {
      policies[n].begin(std::move(reach[n]));
      report.solve.states += static_cast<std::int64_t>(policies[n].reach().size());
    }
    if (!legs_) legs_ = solver_of(members_of_legs(problem_.mission, first_leg_));
    const auto is_empty = [&](TimeLevel k) {
      return std::all_of(policies.begin(), policies.end(), [k](const ReachablePolicy& policy) {
        return policy.reach().of(k).empty();
      });
    };
    const auto cells_of = [&](TimeLevel k) {
      std::vector<View<const CellIndex>> cells;
      for (const ReachablePolicy& policy : policies) cells.push_back(policy.reach().of(k));
      return cells;
    };
    const auto begin = [&](TimeLevel k, const std::vector<View<const CellIndex>>& cells) {
      if (k < problem_.mission.last) return;
      for (std::size_t n = 0; n < cells.size(); ++n) legs_->start(n, cells[n]);
    };
    const auto take = [&](TimeLevel k) {
      for (std::size_t n = 0; n < policies.size(); ++n) {
        policies[n].take(k, legs_->action(n), legs_->value(n));
      }
    };
    walk(*legs_, levels, problem_.mission.last, from.level, is_empty, cells_of, begin, take,
         report.solve, progress);
    report.solve.solve_seconds = solving.seconds();
    return report;
  }

  ReachableReport solve_arriving_by(LevelSource& levels, const StartState& from, TimeLevel latest,
                                    ReachablePolicy& policy, Progress& progress) {
    ReachableReport report;
    const Stopwatch finding;
    ReachFinder& finder = finder_.finder(0);
    ReachableCells reach;
    const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
      if (k == from.level) cells.push_back(from.cell);
    };
    finder.find(levels, from.level, latest, entries, {}, reach, progress);
    const ReachableCells solved = finder.keep_arriving(levels, latest, reach);
    report.reach_seconds = finding.seconds();
    const Stopwatch solving;
    const Mission& mission = problem_.mission;
    const ActionRewards rewards(problem_, info_.time.step);
    const WorthBounds bounds(info_, mission, rewards.kind, latest, finder.widest_window());
    constexpr std::size_t lower = 0;
    constexpr std::size_t upper = 1;
    if (!bounded_) bounded_ = solver_of({PassMember{mission}, PassMember{mission}});
    const std::int32_t steps = latest.value - from.level.value;
    std::vector<std::vector<CellIndex>> certain(static_cast<std::size_t>(steps) + 1);
    std::vector<std::int16_t> action(static_cast<std::size_t>(info_.grid.cell_count()));
    std::vector<CellIndex> others;
    std::vector<std::pair<std::int16_t, float>> found;  // of the certain cells, latest level first
    const auto is_empty = [&](TimeLevel k) { return reach.of(k).empty(); };
    const auto cells_of = [&](TimeLevel k) {
      return std::vector<View<const CellIndex>>(2, solved.of(k));
    };
    const auto begin = [&](TimeLevel k, const std::vector<View<const CellIndex>>& cells) {
      for (const std::size_t side : {lower, upper}) {
        if (k == mission.last) {
          bounded_->start(side, cells[side]);
          continue;
        }
        others.clear();
        std::set_difference(reach.of(k).begin(), reach.of(k).end(), cells[side].begin(),
                            cells[side].end(), std::back_inserter(others));
        bounded_->set(side, others, side == lower ? bounds.least(k) : bounds.greatest(k));
      }
    };
    const auto take = [&](TimeLevel k) {
      auto& level = certain[static_cast<std::size_t>(k.value - from.level.value)];
      for (const CellIndex cell : solved.of(k)) {
        const auto at = static_cast<std::size_t>(cell.value);
        const bool same = bounded_->action(lower)[at] == bounded_->action(upper)[at] &&
                          bounded_->value(lower)[at] == bounded_->value(upper)[at];
        if (same) level.push_back(cell);
      }
      for (auto cell = level.rbegin(); cell != level.rend(); ++cell) {
        const auto at = static_cast<std::size_t>(cell->value);
        found.emplace_back(bounded_->action(lower)[at], bounded_->value(lower)[at]);
      }
    };
    walk(*bounded_, levels, latest, from.level, is_empty, cells_of, begin, take, report.solve,
         progress);
    report.solve.rows /= 2;  // a cell is counted once for both bounds
    report.solve.transitions /= 2;
    std::reverse(found.begin(), found.end());
    policy.begin(ReachableCells(from.level, certain), found);
    report.solve.states = static_cast<std::int64_t>(solved.size());
    report.solve.solve_seconds = solving.seconds();
    return report;
  }

  /// Whether what cells are worth that are not solved has bounds: neither what is harvested nor
  /// what an action is worth that is held on has any of this kind.
  bool has_bounds() const {
    const Mission& mission = problem_.mission;
    return !mission.decisions.hold() &&
           harvest_factor(mission.objective, mission.energy, info_.time.step) == 0;
  }

 private:
  std::unique_ptr<CpuLevelSolver> solver_of(std::vector<PassMember> members) {
    const CountLevel count = [this](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                                    CountSink& sink) {
      engine_->count_level(level, weights_, cells, sink);
    };
    return std::make_unique<CpuLevelSolver>(info_, all_rows(info_.grid.ny), problem_.actions,
                                            problem_.rule, std::move(members), threads_, count);
  }

  /// From level `last` to `first`. is_empty(k): no cell is landed in. cells_of(k): to decide on,
  /// (member). begin(k, cells): gives cells without a decision their values. take(k): the level is
  /// solved.
  template <class IsEmpty, class CellsOf, class Begin, class Take>
  void walk(CpuLevelSolver& solver, LevelSource& levels, TimeLevel last, TimeLevel first,
            const IsEmpty& is_empty, const CellsOf& cells_of, const Begin& begin, const Take& take,
            SolveReport& report, Progress& progress) {
    solver.clear();
    walk_backward(last, first, "planning", progress, [&](TimeLevel k) {
      // Where everything has ended there is nothing to solve, but what it ended in may be closed.
      if (is_empty(k) && is_empty(TimeLevel(k.value - 1))) return true;
      const LevelView level = levels.level(k);
      const auto cells = cells_of(k);
      if (k < last) solver.advance();
      begin(k, cells);
      if (k < last && std::any_of(cells.begin(), cells.end(),
                                  [](const auto& of_member) { return !of_member.empty(); })) {
        solver.decide(k, level, cells);
        report.rows += solver.decided() * static_cast<std::int64_t>(problem_.actions.size());
      }
      solver.keep(level);
      take(k);
      return true;
    });
    report.transitions = report.rows * info_.realization_count;
  }

  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  std::int32_t threads_;
  std::size_t first_leg_;
  LegsReachFinder finder_;
  std::unique_ptr<CountingEngine> engine_;
  std::vector<std::uint32_t> weights_;
  std::unique_ptr<CpuLevelSolver> legs_;
  std::unique_ptr<CpuLevelSolver> bounded_;  // from below and from above
};

ReachableSolver::ReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                                 const PlannerOptions& options, std::size_t first_leg,
                                 Currents currents)
    : pass_(std::make_unique<Pass>(info, problem, options, first_leg, currents)) {}
ReachableSolver::~ReachableSolver() = default;

ReachableReport ReachableSolver::solve(LevelSource& levels, const StartState& from,
                                       std::vector<ReachablePolicy>& policies, Progress& progress) {
  return pass_->solve(levels, from, policies, progress);
}

ReachableReport ReachableSolver::solve(LevelSource& levels, const StartState& from,
                                       ReachablePolicy& policy, Progress& progress) {
  std::vector<ReachablePolicy> policies(1);
  std::swap(policies.front(), policy);
  ReachableReport report = pass_->solve(levels, from, policies, progress);
  policy = std::move(policies.front());
  return report;
}

ReachableReport ReachableSolver::solve_arriving_by(LevelSource& levels, const StartState& from,
                                                   TimeLevel latest, ReachablePolicy& policy,
                                                   Progress& progress) {
  if (!pass_->has_bounds()) return solve(levels, from, policy, progress);
  return pass_->solve_arriving_by(levels, from, latest, policy, progress);
}

}  // namespace tidewise

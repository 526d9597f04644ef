#include "solver/reachable/solver.h"

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "env/row_window.h"
#include "solver/pass/backward.h"

namespace tidewise {

ReachableSolver::ReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                                 const PlannerOptions& options, std::size_t first_leg,
                                 Currents currents)
    : info_(info),
      problem_(problem),
      finder_(info, problem_, options.threads, first_leg, currents),
      solver_(info, all_rows(info.grid.ny), problem_.actions, problem_.rule,
              members_of_legs(problem_.mission, first_leg), options.threads,
              count_by_engine(options.engine, info, problem_.rule, problem_.actions,
                              options.threads, options.subgrid_radius)) {}

ReachableReport ReachableSolver::solve(LevelSource& levels, const StartState& from,
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
  const auto is_empty = [&](TimeLevel k) {
    return std::all_of(policies.begin(), policies.end(),
                       [k](const ReachablePolicy& policy) { return policy.reach().of(k).empty(); });
  };
  const TimeLevel last = problem_.mission.last;
  solver_.clear();
  walk_backward(last, from.level, "planning", progress, [&](TimeLevel k) {
    // If all flights have ended there is nothing to solve, but a cell at the end may be closed.
    if (is_empty(k) && is_empty(TimeLevel(k.value - 1))) return true;
    const LevelView level = levels.level(k);
    std::vector<View<const CellIndex>> cells;
    for (const ReachablePolicy& policy : policies) cells.push_back(policy.reach().of(k));
    if (k < last) {
      solver_.advance();
    } else {
      for (std::size_t n = 0; n < cells.size(); ++n) solver_.start(n, cells[n]);
    }
    if (k < last && !is_empty(k)) {
      solver_.decide(k, level, cells);
      report.solve.rows += solver_.decided() * static_cast<std::int64_t>(problem_.actions.size());
    }
    solver_.keep(level);
    for (std::size_t n = 0; n < policies.size(); ++n) {
      policies[n].take(k, solver_.action(n), solver_.value(n));
    }
    return true;
  });
  report.solve.transitions = report.solve.rows * info_.realization_count;
  report.solve.solve_seconds = solving.seconds();
  return report;
}

}  // namespace tidewise

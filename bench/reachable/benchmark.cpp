#include "bench/reachable/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stopwatch.h"
#include "bench/machine.h"
#include "bench/missions/problem.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/solver.h"
#include "solver/route/mean_flight.h"

namespace tidewise {
namespace {

class ReachableCase {
 public:
  ReachableCase(const ReachableBenchmarkOptions& options, Progress& progress)
      : gyre_(options, progress),
        environment_(gyre_.path()),
        actions_(make_actions({0.5, 1}, options.headings, info().grid, info().time)),
        rule_(position_rule(options.landing, info())),
        options_{.engine = Engine::lattice, .threads = options.threads},
        mission_(mission_on(info().grid, options.steps)),
        stored_levels_(environment_, TimeLevel(0), mission_.last),
        whole_plan_(info().grid, mission_.last),
        solver_of_realizations_(info(), problem(), options_),
        solver_as_strong_(info(), problem(), options_, 0, Currents::as_strong) {}

  double solve_whole() {
    const Stopwatch watch;
    solve_mission(environment_, problem(), options_, whole_plan_, silent_);
    return watch.seconds();
  }
  double solve(const StartState& from, Currents currents) {
    EnsembleLevels levels(stored_levels_);
    ReachableSolver& solver =
        currents == Currents::as_strong ? solver_as_strong_ : solver_of_realizations_;
    const Stopwatch watch;
    solver.solve(levels, from, policies_, silent_);
    return watch.seconds();
  }

  // The state at fraction `part` of the nominal flight. Requires solve_whole().
  StartState station(double part) {
    const Trajectory nominal = fly_through_mean(environment_, problem(), whole_plan_, silent_);
    const auto n = static_cast<std::size_t>(part * static_cast<double>(nominal.points.size() - 1));
    const Grid& grid = info().grid;
    return {grid.cell(grid.column_at(nominal.points[n].x), grid.row_at(nominal.points[n].y)),
            TimeLevel(static_cast<std::int32_t>(n))};
  }

  // Checks the last solve.
  void check() const {
    const auto cells = static_cast<std::size_t>(info().grid.cell_count());
    const ReachablePolicy& policy = policies_.front();
    const ReachableCells& reach = policy.reach();
    for (TimeLevel k = reach.first(); k <= reach.last(); ++k.value) {
      for (const CellIndex cell : reach.of(k)) {
        const std::size_t state =
            static_cast<std::size_t>(k.value) * cells + static_cast<std::size_t>(cell.value);
        if (policy.value(k, cell) == whole_plan_.value[state] &&
            policy.action(k, cell) == whole_plan_.action[state]) {
          continue;
        }
        throw RunError(fmt::format(
            "bench reachable: cell {} at level {} has another value or action than in a whole plan",
            cell.value, k.value));
      }
    }
  }

 private:
  // A mission northwards through the jet.
  static Mission mission_on(const Grid& grid, std::int32_t steps) {
    Mission mission;
    mission.last = TimeLevel(steps);
    mission.start = grid.cell(grid.nx / 2, grid.ny / 5);
    mission.start_x = grid.x(grid.nx / 2);
    mission.start_y = grid.y(grid.ny / 5);
    const double x = grid.x(grid.nx / 2);
    const double y = grid.y(4 * grid.ny / 5);
    mission.target_x = x;
    mission.target_y = y;
    mission.target = target_cells(grid, x, y, 0);
    mission.disc = target_disc(grid, x, y, 0);
    return mission;
  }

  const EnvironmentInfo& info() const { return environment_.info(); }
  PlanningProblem problem() const { return {actions_, mission_, rule_}; }

  TemporaryGyre gyre_;
  EnvironmentReader environment_;
  std::vector<Action> actions_;
  PositionRule rule_;
  PlannerOptions options_;
  Mission mission_;
  InMemoryLevels stored_levels_;
  PolicyTable whole_plan_;
  ReachableSolver solver_of_realizations_;
  ReachableSolver solver_as_strong_;
  std::vector<ReachablePolicy> policies_;
  SilentProgress silent_;
};

}  // namespace

BenchmarkReport benchmark_reachable(const ReachableBenchmarkOptions& options, Progress& progress) {
  ReachableCase problem(options, progress);
  BenchmarkReport report;
  report.title = fmt::format(
      "reachable: {} × {} cells, {} steps, {} actions, {} realizations, {} modes, landing by {}; "
      "{} "
      "thread(s), levels in memory, the whole plan's from a file",
      options.cells, options.cells, options.steps, 2 * options.headings, options.realizations,
      options.modes, to_string(options.landing), options.threads);
  report.machine = describe_machine();
  report.unit = std::string(1, 's');  // GCC 12 warns of a literal here (GCC bug 105651)
  const std::string whole_name = "whole plan";
  std::vector<BenchmarkContender> contenders{
      {whole_name, [&](std::int32_t) { return problem.solve_whole(); }}};
  problem.solve_whole();
  for (const double part : {0.0, 1.0 / 3, 2.0 / 3}) {
    const StartState from = problem.station(part);
    for (const Currents currents : {Currents::of_realizations, Currents::as_strong}) {
      problem.solve(from, currents);
      problem.check();
      const std::string name = fmt::format(
          "from level {}, {}", from.level.value,
          currents == Currents::as_strong ? "reach in any current as strong" : "all reach");
      contenders.push_back({name, [&problem, from, currents](std::int32_t) {
                              return problem.solve(from, currents);
                            }});
      report.ratios.push_back({whole_name, name, 0, 0});
    }
  }
  measure_in_turn(contenders, options.repeats, WarmUp::none, report, progress);
  return report;
}

}  // namespace tidewise

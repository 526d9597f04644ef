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

/// A place of the nominal flight, and the level by which to arrive.
struct Station {
  StartState from;
  TimeLevel latest;
  bool is_sure = false;  ///< whether what is solved for that holds the place
};

/// How far a solve from a station reaches.
enum class Within {
  reach,         ///< where the realizations take the vehicle
  strong_reach,  ///< where any current as strong does, as in `tidewise replan`
  arriving       ///< the first, from where it can still arrive in time
};

class ReachableCase {
 public:
  ReachableCase(const ReachableBenchmarkOptions& options, Progress& progress)
      : gyre_(options, progress),
        environment_(gyre_.path()),
        actions_(make_actions({0.5, 1}, options.headings, info().grid, info().time)),
        rule_(position_rule(options.landing, info())),
        options_{.engine = Engine::lattice, .threads = options.threads},
        mission_(mission_on(info().grid, options.steps)),
        held_(environment_, TimeLevel(0), mission_.last),
        whole_(info().grid, mission_.last),
        solver_(info(), problem(), options_) {}

  double solve_whole() {
    const Stopwatch watch;
    solve_mission(environment_, problem(), options_, whole_, silent_);
    return watch.seconds();
  }
  double solve(const Station& station, Within within) {
    EnsembleLevels levels(held_);
    const Stopwatch watch;
    switch (within) {
      case Within::reach:
        solver_.solve(levels, station.from, policy_, silent_);
        break;
      case Within::strong_reach: {
        std::vector<ReachablePolicy> legs;
        ReachableSolver(info(), problem(), options_, 0, Currents::as_strong)
            .solve(levels, station.from, legs, silent_);
        policy_ = std::move(legs.front());
        break;
      }
      case Within::arriving:
        solver_.solve_arriving_by(levels, station.from, station.latest, policy_, silent_);
        break;
    }
    return watch.seconds();
  }

  /// After solve_whole(): `part` of the way along the nominal flight.
  Station station(double part) {
    const Trajectory nominal = fly_through_mean(environment_, problem(), whole_, silent_);
    const auto n = static_cast<std::size_t>(part * static_cast<double>(nominal.points.size() - 1));
    const Grid& grid = info().grid;
    Station station;
    station.from = {
        grid.cell(grid.column_at(nominal.points[n].x), grid.row_at(nominal.points[n].y)),
        TimeLevel(static_cast<std::int32_t>(n))};
    // As early as the solve is sure of the place itself, by tenths of what is left of the flight.
    const auto left = static_cast<double>(nominal.points.size() - 1 - n);
    for (double longer = 1.1; station.latest < mission_.last; longer += 0.1) {
      station.latest = TimeLevel(std::min(
          mission_.last.value,
          station.from.level.value + static_cast<std::int32_t>(std::ceil(longer * left)) + 1));
      solve(station, Within::arriving);
      station.is_sure = policy_.holds(station.from.level, station.from.cell);
      if (station.is_sure) break;
    }
    return station;
  }

  /// Of what was solved last.
  void check() const {
    const auto cells = static_cast<std::size_t>(info().grid.cell_count());
    const ReachableCells& reach = policy_.reach();
    for (TimeLevel k = reach.first(); k <= reach.last(); ++k.value) {
      for (const CellIndex cell : reach.of(k)) {
        const std::size_t state =
            static_cast<std::size_t>(k.value) * cells + static_cast<std::size_t>(cell.value);
        if (policy_.value(k, cell) == whole_.value[state] &&
            policy_.action(k, cell) == whole_.action[state]) {
          continue;
        }
        throw RunError(fmt::format(
            "bench reachable: cell {} at level {} has another value or action than in a whole plan",
            cell.value, k.value));
      }
    }
  }

 private:
  /// Northwards through the jet.
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
  InMemoryLevels held_;
  PolicyTable whole_;
  ReachableSolver solver_;
  ReachablePolicy policy_;
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
  const std::string whole = "whole plan";
  std::vector<BenchmarkContender> contenders{
      {whole, [&](std::int32_t) { return problem.solve_whole(); }}};
  problem.solve_whole();
  for (const double part : {0.0, 1.0 / 3, 2.0 / 3}) {
    const Station station = problem.station(part);
    for (const Within within : {Within::reach, Within::strong_reach, Within::arriving}) {
      // Where some fail, what that is worth counts.
      if (within == Within::arriving && !station.is_sure) continue;
      problem.solve(station, within);
      problem.check();
      const std::string name = fmt::format(
          "from level {}, {}", station.from.level.value,
          within == Within::reach          ? "all reach"
          : within == Within::strong_reach ? "reach in any current as strong"
                                           : fmt::format("arriving by {}", station.latest.value));
      contenders.push_back({name, [&problem, station, within](std::int32_t) {
                              return problem.solve(station, within);
                            }});
      report.ratios.push_back({whole, name, 0, 0});
    }
  }
  measure_in_turn(contenders, options.repeats, WarmUp::none, report, progress);
  return report;
}

}  // namespace tidewise

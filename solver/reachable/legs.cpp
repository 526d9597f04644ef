#include "solver/reachable/legs.h"

#include <memory>
#include <utility>

#include "base/stopwatch.h"
#include "solver/legs/legs.h"
#include "solver/policy/next_leg.h"

namespace tidewise {
namespace {

/// What a leg's policy says in the place where it begins, for the leg that ends there. Cells that
/// it is not begun in are landed on by nobody, but their values are to be numbers.
std::shared_ptr<const NextLeg> keep_beginning(const EnvironmentInfo& info, const ViaPlace& place,
                                              const ReachablePolicy& policy, TimeLevel last) {
  const auto next = std::make_shared<NextLeg>(place.cells, last);
  std::vector<std::int16_t> action(static_cast<std::size_t>(info.grid.cell_count()), no_action);
  std::vector<float> value(action.size(), 0.0F);
  for (TimeLevel k = policy.reach().first(); k < last; ++k.value) {
    for (const std::int32_t cell : place.cells) {
      const auto at = static_cast<std::size_t>(cell);
      action[at] = policy.action(k, CellIndex(cell));
      value[at] = policy.value(k, CellIndex(cell)).value_or(0.0F);
    }
    next->keep(k, action, value);
  }
  return next;
}

}  // namespace

std::vector<ReachableCells> find_legs_reach(const EnvironmentInfo& info,
                                            const PlanningProblem& problem,
                                            const PlannerOptions& options, LevelSource& levels,
                                            const StartState& from, std::size_t leg,
                                            Currents currents, ReachableReport& report,
                                            Progress& progress) {
  const Stopwatch finding;
  const Mission& mission = problem.mission;
  const std::vector<Mission> legs = leg_missions(mission);
  std::vector<ReachableCells> reach(legs.size() - leg);
  for (std::size_t n = leg; n < legs.size(); ++n) {
    // A leg is begun where the one before it comes to its place before time is up.
    const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
      if (n == leg) {
        if (k == from.level) cells.push_back(from.cell);
      } else if (k < mission.last) {
        for (const CellIndex cell : reach[n - leg - 1].of(k)) {
          if (is_in(mission.via[n - 1], cell)) cells.push_back(cell);
        }
      }
    };
    std::vector<std::uint8_t> ends;
    if (n < mission.via.size()) ends = place_plane(info.grid, mission.via[n].cells);
    ReachFinder finder(info, {problem.actions, legs[n], problem.rule}, options.threads, currents);
    finder.find(levels, from.level, mission.last, entries, ends, reach[n - leg], progress);
  }
  report.reach_seconds += finding.seconds();
  return reach;
}

ReachableReport solve_legs_from(const EnvironmentInfo& info, const PlanningProblem& problem,
                                const PlannerOptions& options, LevelSource& levels,
                                const StartState& from, std::size_t leg, Currents currents,
                                std::vector<ReachablePolicy>& policies, Progress& progress) {
  const Mission& mission = problem.mission;
  ReachableReport report;
  std::vector<ReachableCells> reach =
      find_legs_reach(info, problem, options, levels, from, leg, currents, report, progress);
  policies.clear();
  for (ReachableCells& of_leg : reach) policies.emplace_back(std::move(of_leg));
  for (std::size_t n = mission.via.size() + 1; n-- > leg;) {
    Mission of_leg = leg_mission(mission, n);
    if (n < mission.via.size()) {
      of_leg.next = keep_beginning(info, mission.via[n], policies[n - leg + 1], mission.last);
    }
    ReachableSolver solver(info, {problem.actions, of_leg, problem.rule}, options);
    report.solve += solver.solve_reached(levels, policies[n - leg], progress);
  }
  return report;
}

}  // namespace tidewise

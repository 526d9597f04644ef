#include "solver/confined/legs.h"

#include <memory>

#include "solver/legs/legs.h"
#include "solver/policy/next_leg.h"

namespace tidewise {
namespace {

/// What a leg's policy says in the place where it begins, for the leg that ends there. Cells that
/// it is not begun in are landed on by nobody, but their values are to be numbers.
std::shared_ptr<const NextLeg> keep_beginning(const EnvironmentInfo& info, const ViaPlace& place,
                                              const ConfinedPolicy& policy, TimeLevel last) {
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

ConfinedReport solve_legs_from(const EnvironmentInfo& info, const PlanningProblem& problem,
                               const PlannerOptions& options, LevelSource& levels,
                               const Whereabouts& from, std::size_t leg,
                               std::vector<ConfinedPolicy>& policies, Progress& progress) {
  const Mission& mission = problem.mission;
  std::vector<Mission> legs = leg_missions(mission);
  policies.resize(legs.size() - leg);
  ConfinedReport report;
  // Forward: a leg is begun where the one before it comes to its place.
  for (std::size_t n = leg; n < legs.size(); ++n) {
    const PlanningProblem of_leg{problem.actions, legs[n], problem.rule};
    const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
      if (n == leg) {
        if (k == from.level) cells.push_back(from.cell);
        return;
      }
      if (!(k < mission.last)) return;  // none is passed when time is up
      const ReachableCells& before = policies[n - leg - 1].reach();
      for (const CellIndex cell : before.of(k)) {
        if (is_in(mission.via[n - 1], cell)) cells.push_back(cell);
      }
    };
    std::vector<std::uint8_t> ends;
    if (n < mission.via.size()) ends = place_plane(info.grid, mission.via[n].cells);
    ConfinedSolver finder(info, of_leg, options);
    report.reach_seconds +=
        finder.find_reach(levels, from.level, entries, ends, policies[n - leg], progress);
  }
  // Backward, as solve_legs().
  for (std::size_t n = legs.size(); n-- > leg;) {
    if (n < mission.via.size()) {
      legs[n].next = keep_beginning(info, mission.via[n], policies[n - leg + 1], mission.last);
    }
    const PlanningProblem of_leg{problem.actions, legs[n], problem.rule};
    ConfinedSolver solver(info, of_leg, options);
    report.solve += solver.solve_reached(levels, policies[n - leg], progress);
  }
  return report;
}

}  // namespace tidewise

#include "solver/reachable/legs.h"

#include <utility>

#include "solver/legs/legs.h"
#include "solver/step/target_circles.h"

namespace tidewise {

LegsReachFinder::LegsReachFinder(const EnvironmentInfo& info, const PlanningProblem& problem,
                                 std::int32_t threads, std::size_t first, Currents currents)
    : info_(info), mission_(problem.mission), first_(first) {
  for (std::size_t n = first; n <= mission_.via.size(); ++n) {
    const Mission& leg = legs_.emplace_back(leg_mission(mission_, n));
    finders_.emplace_back(info, PlanningProblem{problem.actions, leg, problem.rule}, threads,
                          currents);
  }
}

std::vector<ReachableCells> LegsReachFinder::find(LevelSource& levels, const StartState& from,
                                                  Progress& progress) {
  std::vector<ReachableCells> reach(finders_.size());
  for (std::size_t n = 0; n < finders_.size(); ++n) {
    // A leg begins where the leg before it ends, before time is up.
    const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
      if (n == 0) {
        if (k == from.level) cells.push_back(from.cell);
      } else if (k < mission_.last) {
        for (const CellIndex cell : reach[n - 1].of(k)) {
          if (is_in(mission_.via[first_ + n - 1], cell)) cells.push_back(cell);
        }
      }
    };
    std::vector<std::uint8_t> ends;
    if (first_ + n < mission_.via.size()) {
      ends = place_plane(info_.grid, mission_.via[first_ + n].cells);
    }
    finders_[n].find(levels, from.level, mission_.last, entries, ends, reach[n], progress);
  }
  return reach;
}

}  // namespace tidewise

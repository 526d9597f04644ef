#include "solver/legs/legs.h"

#include <algorithm>
#include <memory>

#include "solver/policy/next_leg.h"

namespace tidewise {

Mission leg_mission(const Mission& mission, std::size_t leg) {
  Mission of_leg = mission;
  of_leg.via.clear();
  if (leg == mission.via.size()) return of_leg;
  const ViaPlace& end = mission.via[leg];
  std::fill(of_leg.target.begin(), of_leg.target.end(), std::uint8_t{0});
  of_leg.disc = end.circles;
  of_leg.failure.late = mission.failure.late_at(end.rest);
  return of_leg;
}

std::vector<Mission> leg_missions(const Mission& mission) {
  std::vector<Mission> legs;
  for (std::size_t leg = 0; leg <= mission.via.size(); ++leg) {
    legs.push_back(leg_mission(mission, leg));
  }
  return legs;
}

bool is_in(const ViaPlace& place, CellIndex cell) {
  return std::binary_search(place.cells.begin(), place.cells.end(), cell.value);
}

SolveReport solve_legs(
    const Mission& mission,
    const std::function<SolveReport(const Mission& leg, PolicySink& sink)>& solve,
    const std::function<PolicySink&(std::size_t leg)>& sink_of) {
  SolveReport report;
  std::shared_ptr<const NextLeg> next;
  for (std::size_t leg = mission.via.size() + 1; leg-- > 0;) {
    Mission of_leg = leg_mission(mission, leg);
    of_leg.next = next;
    if (leg == 0) {
      report += solve(of_leg, sink_of(leg));
      break;
    }
    const auto kept = std::make_shared<NextLeg>(mission.via[leg - 1].cells, mission.last);
    NextLegSink sink(sink_of(leg), *kept);
    report += solve(of_leg, sink);
    next = kept;
  }
  return report;
}

}  // namespace tidewise

#include "solver/legs/legs.h"

#include <algorithm>

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

std::size_t pass_places(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                        std::vector<std::int32_t>& passed) {
  if (!(k < mission.last)) return leg;
  for (; leg < mission.via.size() && is_in(mission.via[leg], cell); ++leg) {
    passed.push_back(k.value - mission.departure.value);
  }
  return leg;
}

LegChain::LegChain(const Mission& mission, PolicySink& sink) : mission_(mission), sink_(sink) {
  begin(mission.via.size());
}

void LegChain::begin(std::size_t leg) {
  leg_ = leg;
  at_work_ = leg_mission(mission_, leg);
  at_work_.next = kept_;
  keeping_.reset();
  kept_.reset();
  if (leg == 0) return;
  kept_ = std::make_shared<NextLeg>(mission_.via[leg - 1].cells, mission_.last);
  keeping_.emplace(sink_, leg, *kept_);
}

void LegChain::advance() {
  if (leg_ == 0) {
    solved_ = true;
  } else {
    begin(leg_ - 1);
  }
}

SolveReport solve_legs(
    const Mission& mission, PolicySink& sink,
    const std::function<SolveReport(const Mission& leg, PolicySink& sink)>& solve) {
  SolveReport report;
  for (LegChain chain(mission, sink); !chain.solved(); chain.advance()) {
    report += solve(chain.mission(), chain.sink());
  }
  return report;
}

}  // namespace tidewise

#include "solver/legs/legs.h"

#include <algorithm>

namespace tidewise {

Mission leg_mission(const Mission& mission, std::size_t leg) {
  Mission result = mission;
  result.via.clear();
  if (leg == mission.via.size()) return result;
  const ViaPlace& end = mission.via[leg];
  std::fill(result.target.begin(), result.target.end(), std::uint8_t{0});
  result.disc = end.circles;
  result.failure.late = mission.failure.late_at(end.rest);
  return result;
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

std::size_t pass_via_points(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                            std::vector<std::int32_t>& passed) {
  if (!(k < mission.last)) return leg;
  for (; leg < mission.via.size() && is_in(mission.via[leg], cell); ++leg) {
    passed.push_back(k.value - mission.departure.value);
  }
  return leg;
}

}  // namespace tidewise

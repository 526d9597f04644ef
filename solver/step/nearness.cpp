#include "solver/step/nearness.h"

#include <algorithm>

namespace tidewise {

NearnessPenalty nearness_penalty(const Mission& mission) {
  // Relative to arrival, so that a mission that maximizes arrival, whose failures have value 0, has
  // a penalty too.
  const auto penalty = [&](float failure) {
    return nearness_share * std::min(0.0, double(failure) - double(mission.arrival_reward));
  };
  return {mission.margin, penalty(mission.failure.obstacle), penalty(mission.failure.outside)};
}

void add_penalties(const NearnessPenalties& penalties, View<const CellIndex> cells,
                   const Grid& grid, View<float> planes) {
  const auto plane = static_cast<std::size_t>(grid.cell_count());
  for (const CellIndex cell : cells) {
    const float penalty = penalties(cell);
    if (penalty == 0) continue;
    for (std::size_t at = static_cast<std::size_t>(cell.value); at < planes.size; at += plane) {
      planes[at] += penalty;
    }
  }
}

}  // namespace tidewise

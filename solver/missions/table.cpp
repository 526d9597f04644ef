#include "solver/missions/table.h"

#include <algorithm>
#include <numeric>

#include "solver/step/reward.h"

namespace tidewise {
namespace {

/// As few as hold all members in one warp; else as many as a lane takes.
std::int32_t members_a_lane(std::size_t members) {
  std::int32_t a_lane = 1;
  while (a_lane < most_members_a_lane &&
         static_cast<std::size_t>(a_lane * lanes_a_warp) < members) {
    a_lane *= 2;
  }
  return a_lane;
}

}  // namespace

std::int32_t group_stride(std::size_t members) {
  const auto a_warp = static_cast<std::size_t>(members_a_lane(members) * lanes_a_warp);
  return static_cast<std::int32_t>((members + a_warp - 1) / a_warp * a_warp);
}

GroupTable::GroupTable(const EnvironmentInfo& info, const std::vector<Action>& actions,
                       const std::vector<const Mission*>& missions)
    : order_(missions.size()),
      members_a_lane_(tidewise::members_a_lane(missions.size())),
      stride_(group_stride(missions.size())) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return missions[a]->last > missions[b]->last;
  });
  const auto stride = static_cast<std::size_t>(stride_);
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const std::size_t words = stride / members_a_word;
  terms.resize(stride);
  action_part.assign(actions.size() * stride, 0);
  target.assign(cells * words, 0);
  some_target.assign(cells, 0);
  for (std::size_t m = 0; m < order_.size(); ++m) {
    const Mission& mission = *missions[order_[m]];
    mission_.push_back(&mission);
    terms[m] = {mission.failure_penalty, mission.arrival_reward,
                harvest_factor(mission.objective, mission.energy, info.time.step),
                mission.last.value};
    harvests_ = harvests_ || terms[m].harvest != 0;
    for (std::size_t a = 0; a < actions.size(); ++a) {
      action_part[a * stride + m] =
          action_reward(mission.objective, mission.energy, actions[a].speed, info.time.step);
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (mission.target[cell] == 0) continue;
      target[cell * words + m / members_a_word] |= 1u << m % members_a_word;
      some_target[cell] = 1;
    }
  }
}

std::int32_t GroupTable::present(TimeLevel k) const {
  const auto end = std::partition_point(mission_.begin(), mission_.end(),
                                        [&](const Mission* mission) { return mission->last >= k; });
  return static_cast<std::int32_t>(end - mission_.begin());
}

GroupView GroupTable::view() const {
  return {stride_, terms.data(), action_part.data(), target.data(), some_target};
}

}  // namespace tidewise

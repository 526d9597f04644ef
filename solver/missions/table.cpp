#include "solver/missions/table.h"

#include <algorithm>
#include <numeric>

#include "solver/step/reward.h"

namespace tidewise {
namespace {

std::vector<ActionGroup> action_groups_of(const std::vector<Action>& actions) {
  std::vector<ActionGroup> action_groups;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (action_groups.empty() || action_groups.back().count == max_actions_per_group ||
        actions[a].speed != actions[a - 1].speed) {
      action_groups.push_back({static_cast<std::int32_t>(a), 0});
    }
    ++action_groups.back().count;
  }
  return action_groups;
}

// The smallest number with which one warp holds all members; otherwise the maximum.
std::int32_t members_per_lane(std::size_t members) {
  std::int32_t per_lane = 1;
  while (per_lane < max_members_per_lane &&
         static_cast<std::size_t>(per_lane * lanes_per_warp) < members) {
    per_lane *= 2;
  }
  return per_lane;
}

}  // namespace

std::int32_t group_stride(std::size_t members) {
  const auto per_warp = static_cast<std::size_t>(members_per_lane(members) * lanes_per_warp);
  return static_cast<std::int32_t>((members + per_warp - 1) / per_warp * per_warp);
}

GroupTable::GroupTable(const EnvironmentInfo& info, const std::vector<Action>& actions,
                       const std::vector<const Mission*>& missions)
    : action_groups(action_groups_of(actions)),
      order_(missions.size()),
      members_per_lane_(tidewise::members_per_lane(missions.size())),
      stride_(group_stride(missions.size())) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return missions[a]->last > missions[b]->last;
  });
  const auto stride = static_cast<std::size_t>(stride_);
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const std::size_t words = stride / members_per_word;
  terms.resize(stride);
  goal.resize(stride);
  action_part.assign(actions.size() * stride, 0);
  target.assign(cells * words, 0);
  some_target.assign(cells, 0);
  for (std::size_t m = 0; m < order_.size(); ++m) {
    const Mission& mission = *missions[order_[m]];
    mission_.push_back(&mission);
    terms[m] = {mission.arrival_reward,
                harvest_factor(mission.objective, mission.energy, info.time.step),
                mission.last.value, mission.kept ? -1 : mission.last.value};
    goal[m] = {mission.failure, mission.disc};
    harvests_ = harvests_ || terms[m].harvest != 0;
    for (std::size_t a = 0; a < actions.size(); ++a) {
      action_part[a * stride + m] =
          action_reward(mission.objective, mission.energy_on(actions[a].profile), actions[a].speed,
                        info.time.step);
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (mission.target[cell] == 0) continue;
      target[cell * words + m / members_per_word] |= 1u << m % members_per_word;
      some_target[cell] = 1;
    }
  }
  measure_disc_distances(info.grid);
}

// Distance in columns or rows, whichever is larger, to the nearest cell within the bounds of a
// disc, at most 255: from all neighbours to the south and west, then from those to the north and
// east.
void GroupTable::measure_disc_distances(const Grid& grid) {
  disc_distance.assign(static_cast<std::size_t>(grid.cell_count()), 255);
  const auto distance = [&](std::int32_t i, std::int32_t j) -> std::uint8_t& {
    return disc_distance[static_cast<std::size_t>(grid.cell(i, j).value)];
  };
  for (const Mission* mission : mission_) {
    const TargetDisc& disc = mission->disc;
    for (std::int32_t j = std::max(disc.south - grid.first_row, 0);
         j <= std::min(disc.north - grid.first_row, grid.ny - 1); ++j) {
      for (std::int32_t i = std::max(disc.west, 0); i <= std::min(disc.east, grid.nx - 1); ++i) {
        distance(i, j) = 0;
      }
    }
  }
  const auto sweep = [&](std::int32_t i, std::int32_t j, std::int32_t direction) {
    int min = distance(i, j);
    for (const Offset to :
         {Offset{direction, 0}, {-1, direction}, {0, direction}, {1, direction}}) {
      if (grid.contains(i + to.dx, j + to.dy)) {
        min = std::min(min, distance(i + to.dx, j + to.dy) + 1);
      }
    }
    distance(i, j) = static_cast<std::uint8_t>(min);
  };
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) sweep(i, j, -1);
  }
  for (std::int32_t j = grid.ny - 1; j >= 0; --j) {
    for (std::int32_t i = grid.nx - 1; i >= 0; --i) sweep(i, j, 1);
  }
}

std::int32_t GroupTable::present(TimeLevel k) const {
  const auto end = std::partition_point(mission_.begin(), mission_.end(),
                                        [&](const Mission* mission) { return mission->last >= k; });
  return static_cast<std::int32_t>(end - mission_.begin());
}

GroupView GroupTable::view() const {
  return {stride_,       terms.data(), goal.data(),          action_part.data(),
          target.data(), some_target,  disc_distance.data(), action_groups};
}

}  // namespace tidewise

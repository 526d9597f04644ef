#include "solver/missions/lanes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solver/step/reward.h"

namespace tidewise {

GroupLanes::GroupLanes(std::vector<const Mission*> missions, const std::vector<Action>& actions,
                       double time_step)
    : missions_(std::move(missions)), present_(missions_.size(), 1), lane_of_(missions_.size()) {
  const auto factor = [&](std::size_t member) {
    return harvest_factor(mission(member).objective, mission(member).energy, time_step);
  };
  std::vector<std::size_t> order(missions_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool first_harvests = factor(a) != 0;
    const bool second_harvests = factor(b) != 0;
    return first_harvests != second_harvests ? second_harvests : mission(b).last < mission(a).last;
  });
  for (const std::size_t member : order) {
    const std::uint8_t harvests = factor(member) != 0 ? 1 : 0;
    if (member_at_.size() == harvests_.size() * lane_block || harvests_.back() != harvests) {
      member_at_.resize(harvests_.size() * lane_block, no_member);
      harvests_.push_back(harvests);
    }
    lane_of_[member] = member_at_.size();
    member_at_.push_back(member);
  }
  member_at_.resize(harvests_.size() * lane_block, no_member);

  const bool by_profile =
      std::any_of(missions_.begin(), missions_.end(),
                  [](const Mission* mission) { return !mission->profile_power.empty(); });
  std::vector<std::pair<double, std::int32_t>> kinds;  // speed and profile
  for (const Action& action : actions) {
    const std::pair kind(action.speed, by_profile ? action.profile : 0);
    const auto position = std::find(kinds.begin(), kinds.end(), kind);
    kind_of_.push_back(static_cast<std::int32_t>(position - kinds.begin()));
    if (position == kinds.end()) kinds.push_back(kind);
  }
  action_part_ = Array<float>(kinds.size() * lane_count(), 0.0F);
  obstacle_ = Array<float>(lane_count(), 0.0F);
  outside_ = Array<float>(lane_count(), 0.0F);
  harvest_ = Array<float>(lane_count(), 0.0F);
  for (std::size_t member = 0; member < member_count(); ++member) {
    const Mission& member_mission = mission(member);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const auto& [speed, profile] = kinds[kind];
      action_part_[kind * lane_count() + lane_of(member)] = action_reward(
          member_mission.objective, member_mission.energy_on(profile), speed, time_step);
    }
    obstacle_[lane_of(member)] = member_mission.failure.obstacle;
    outside_[lane_of(member)] = member_mission.failure.outside;
    harvest_[lane_of(member)] = factor(member);
  }
}

bool GroupLanes::any_present() const {
  return std::any_of(present_.begin(), present_.end(), [](std::uint8_t p) { return p != 0; });
}

std::vector<LaneDisc> GroupLanes::discs(TimeLevel k) const {
  std::vector<LaneDisc> discs;
  for (std::size_t member = 0; member < member_count(); ++member) {
    const Mission& member_mission = mission(member);
    if (!decides(member, k) || member_mission.disc.radius == 0) continue;
    discs.push_back({lane_of(member), member_mission.disc, member_mission.arrival_reward});
  }
  return discs;
}

std::vector<LaneRun> GroupLanes::runs(TimeLevel k) const {
  std::vector<LaneRun> runs;
  for (std::size_t block = 0; block < harvests_.size(); ++block) {
    bool has_work = false;
    bool ends = false;
    for (std::size_t lane = block * lane_block; lane < (block + 1) * lane_block; ++lane) {
      const std::size_t member = member_at(lane);
      if (member == no_member || !decides(member, k)) continue;
      has_work = true;
      ends = ends || k.value + 1 == mission(member).last.value;
    }
    if (!has_work) continue;
    const bool harvests = harvests_[block] != 0;
    if (!runs.empty() && runs.back().first + runs.back().count == block * lane_block &&
        runs.back().harvests == harvests && runs.back().ends == ends) {
      runs.back().count += lane_block;
    } else {
      runs.push_back({block * lane_block, lane_block, harvests, ends});
    }
  }
  return runs;
}

LaneValues GroupLanes::values() const {
  LaneValues values{};
  values.stride = lane_count();
  values.action_part = action_part_.data();
  values.obstacle = obstacle_.data();
  values.outside = outside_.data();
  values.harvest = harvest_.data();
  return values;
}

}  // namespace tidewise

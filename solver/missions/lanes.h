#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "model_builder/step/actions.h"
#include "solver/missions/lane_kernels.h"
#include "solver/step/mission.h"

namespace tidewise {

/// A lane whose member's target has a disc, and what arriving in it brings.
struct LaneDisc {
  std::size_t lane;
  TargetDisc disc;
  float arrival_reward;
};

/// For the vectors of a processor (lane_kernels.h), as GroupTable is for the warps of a GPU: which
/// lane each member of a group has, which of them are at work at a level, and what landing is
/// worth to each, but for the fields. Lanes of one block either all harvest or none does, and those
/// whose last level is later come first, so that at most levels whole blocks have not begun yet.
class GroupLanes {
 public:
  /// The missions must outlive this object.
  GroupLanes(std::vector<const Mission*> missions, const std::vector<Action>& actions,
             double time_step);

  std::size_t member_count() const { return missions_.size(); }
  const Mission& mission(std::size_t member) const { return *missions_[member]; }
  /// Lanes in all, a multiple of lane_block; some have no member.
  std::size_t lane_count() const { return member_at_.size(); }
  std::size_t lane_of(std::size_t member) const { return lane_of_[member]; }
  /// The member of a lane, or no_member.
  std::size_t member_at(std::size_t lane) const { return member_at_[lane]; }
  static constexpr std::size_t no_member = SIZE_MAX;

  /// The member takes no part any more.
  void drop(std::size_t member) { present_[member] = 0; }
  bool is_present(std::size_t member) const { return present_[member] != 0; }
  bool any_present() const;
  /// Whether the member decides at level k: it is present and k is before its last level.
  bool decides(std::size_t member, TimeLevel k) const {
    return is_present(member) && k < mission(member).last;
  }

  /// The members that decide at level k and whose targets have discs.
  std::vector<LaneDisc> discs(TimeLevel k) const;
  /// The blocks with members that decide at level k, neighbours of one sort as one run.
  std::vector<LaneRun> runs(TimeLevel k) const;
  /// Worth without the fields.
  LaneWorth worth() const;
  /// (action): the kind, by distinct speeds, and by profiles where a member says what dives draw,
  /// so that it is the same for every member.
  const std::int32_t* kind_of() const { return kind_of_.data(); }

 private:
  std::vector<const Mission*> missions_;
  std::vector<std::uint8_t> present_;   // (member)
  std::vector<std::size_t> lane_of_;    // (member)
  std::vector<std::size_t> member_at_;  // (lane)
  std::vector<std::uint8_t> harvests_;  // (block)
  std::vector<std::int32_t> kind_of_;   // (action)
  Array<float> action_part_;            // (kind, lane)
  Array<float> obstacle_;               // (lane)
  Array<float> outside_;                // (lane)
  Array<float> harvest_;                // (lane)
};

}  // namespace tidewise

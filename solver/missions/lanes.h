#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "model_builder/step/actions.h"
#include "solver/missions/lane_kernels.h"
#include "solver/step/mission.h"

namespace tidewise {

/// A lane whose member's target has a disc.
struct LaneDisc {
  std::size_t lane;
  TargetDisc disc;
  float arrival_reward;
};

/// For CPU vectors (lane_kernels.h): the lane of each member of a group, the lanes that work at a
/// level, and the values of landings without the fields. GroupTable is the equivalent for GPU
/// warps. Lanes of one block either all harvest or none does. Lanes with later last levels come
/// first, so that whole blocks can be skipped before they begin.
class GroupLanes {
 public:
  /// The missions must outlive this object.
  GroupLanes(std::vector<const Mission*> missions, const std::vector<Action>& actions,
             double time_step);

  /// Number of members.
  std::size_t member_count() const { return missions_.size(); }
  /// Mission of a member.
  const Mission& mission(std::size_t member) const { return *missions_[member]; }
  /// Number of lanes, a multiple of lane_block. Some have no member.
  std::size_t lane_count() const { return member_at_.size(); }
  /// Lane of a member.
  std::size_t lane_of(std::size_t member) const { return lane_of_[member]; }
  /// Member of a lane, or no_member.
  std::size_t member_at(std::size_t lane) const { return member_at_[lane]; }
  static constexpr std::size_t no_member = SIZE_MAX;

  /// Excludes the member from the rest of the pass.
  void drop(std::size_t member) { present_[member] = 0; }
  /// True until drop().
  bool is_present(std::size_t member) const { return present_[member] != 0; }
  /// True if some member is present.
  bool any_present() const;
  /// True if the member decides at level k: it is present and k is before its last level.
  bool decides(std::size_t member, TimeLevel k) const {
    return is_present(member) && k < mission(member).last;
  }

  /// Members that decide at level k and whose targets have discs.
  std::vector<LaneDisc> discs(TimeLevel k) const;
  /// Runs of neighbouring blocks with equal settings whose members decide at level k.
  std::vector<LaneRun> runs(TimeLevel k) const;
  /// Values of landings, without the fields.
  LaneValues values() const;
  /// (action): index of its kind. A kind is a speed, and also a profile if the power of some member
  /// depends on the profile. Kinds are the same for all members.
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

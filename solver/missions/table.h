#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/step/mission.h"

namespace tidewise {

// Missions that the warps of a GPU back up together (solver/missions/warp_backup.h), with members
// as lanes. GroupLanes is the equivalent for CPU vectors. All arrays by member have the length of
// the stride, a multiple of 32; elements after the last member are never present.

/// Members in a word of GroupView::target.
inline constexpr std::int32_t members_per_word = 32;

/// Maximum number of members of a lane of a warp.
inline constexpr std::int32_t max_members_per_lane = 4;
/// Lanes of a warp.
inline constexpr std::int32_t lanes_per_warp = 32;

/// Neighbouring actions with equal rewards (one speed), whose rows are merged.
struct ActionGroup {
  std::int32_t first;
  std::int32_t count;  ///< at most max_actions_per_group
};
/// Maximum number of actions of an ActionGroup.
inline constexpr std::int32_t max_actions_per_group = 4;

/// Data of a member for its backup. In the padding L = −1.
struct alignas(16) MemberTerms {
  float arrival_reward = 0;
  float harvest = 0;          ///< harvest_factor()
  std::int32_t last = -1;     ///< L
  std::int32_t late_at = -1;  ///< L; −1 for Mission::kept, which is never late
};

/// Data of a member that only few landings need.
struct MemberGoal {
  FailurePenalties failure;
  TargetDisc disc;
};

/// View of the differences between the members of a group. Trivially copyable.
struct GroupView {
  std::int32_t stride = 0;               ///< number of members with padding
  const MemberTerms* terms;              ///< (member)
  const MemberGoal* goal;                ///< (member)
  const float* action_part;              ///< (action, member): action_reward()
  const std::uint32_t* target;           ///< (cell, word): bit n for member 32·word + n
  View<const std::uint8_t> some_target;  ///< (y, x): 1 in the target of some member
  /// (y, x): paths that span fewer columns and rows than this enter no member's disc.
  const std::uint8_t* disc_distance;
  View<const ActionGroup> action_groups;  ///< all actions, in order

  /// Words for each cell of `target`.
  TIDEWISE_HOST_DEVICE std::int32_t words() const { return stride / members_per_word; }
  /// Word of a cell's targets that contains `member`.
  TIDEWISE_HOST_DEVICE std::uint32_t targets(std::int32_t cell, std::int32_t member) const {
    return target[static_cast<std::size_t>(cell) * static_cast<std::size_t>(words()) +
                  static_cast<std::size_t>(member / members_per_word)];
  }
};

/// GroupView in host memory: the missions of a group, the longest first, so that the members of a
/// level are the first ones.
class GroupTable {
 public:
  /// The missions must outlive the table.
  GroupTable(const EnvironmentInfo& info, const std::vector<Action>& actions,
             const std::vector<const Mission*>& missions);

  /// Number of members.
  std::int32_t member_count() const { return static_cast<std::int32_t>(order_.size()); }
  /// Number of members with padding.
  std::int32_t stride() const { return stride_; }
  /// Number of members of a lane.
  std::int32_t members_per_lane() const { return members_per_lane_; }
  /// Mission of a member.
  const Mission& mission(std::int32_t member) const { return *mission_[at(member)]; }
  /// Index of the member among the constructor's missions.
  std::size_t place(std::int32_t member) const { return order_[at(member)]; }
  /// L of the longest mission.
  TimeLevel last() const { return mission(0).last; }
  /// True if some member harvests.
  bool harvests() const { return harvests_; }
  /// Number of members with L ≥ k: the first ones.
  std::int32_t present(TimeLevel k) const;
  /// Number of members for which a step begins at level k: L > k.
  std::int32_t stepping(TimeLevel k) const { return present(TimeLevel(k.value + 1)); }

  /// View of this table.
  GroupView view() const;

  // See GroupView.
  std::vector<MemberTerms> terms;
  std::vector<MemberGoal> goal;
  std::vector<float> action_part;
  std::vector<std::uint32_t> target;
  std::vector<std::uint8_t> some_target;
  std::vector<std::uint8_t> disc_distance;
  std::vector<ActionGroup> action_groups;

 private:
  static std::size_t at(std::int32_t n) { return static_cast<std::size_t>(n); }
  void measure_disc_distances(const Grid& grid);

  std::vector<std::size_t> order_;       // (member)
  std::vector<const Mission*> mission_;  // (member)
  std::int32_t members_per_lane_ = 1;
  std::int32_t stride_ = 0;
  bool harvests_ = false;
};

/// Number of members with padding.
std::int32_t group_stride(std::size_t members);

}  // namespace tidewise

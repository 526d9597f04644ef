#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/step/mission.h"

namespace tidewise {

// Missions that are backed up together by the warps of a GPU (solver/missions/warp_backup.h),
// members as lanes; what GroupLanes is to the vectors of a processor. All arrays by member are as
// long as the stride, a multiple of 32; what is beyond the last member is never present.

inline constexpr std::int32_t members_a_word = 32;

/// Members that a lane may have, and that a warp has then.
inline constexpr std::int32_t most_members_a_lane = 4;
inline constexpr std::int32_t lanes_a_warp = 32;

/// Neighbouring actions of one speed, whose rows are taken together: their rewards are the same.
struct Fan {
  std::int32_t first;
  std::int32_t count;  ///< most_actions_a_fan at most
};
inline constexpr std::int32_t most_actions_a_fan = 4;

/// What a member is to a backup; in the padding nobody, L = −1.
struct alignas(16) MemberTerms {
  float arrival_reward = 0;
  float harvest = 0;          ///< harvest_factor()
  std::int32_t last = -1;     ///< L
  std::int32_t late_at = -1;  ///< the same where whoever is late pays for it, else none
};

/// The rest of it, which few landings ask for.
struct MemberGoal {
  FailurePrices failure;
  TargetDisc disc;
};

/// A look at what tells the members of a group apart; trivially copyable.
struct GroupView {
  std::int32_t stride = 0;               ///< members with padding
  const MemberTerms* terms;              ///< (member)
  const MemberGoal* goal;                ///< (member)
  const float* action_part;              ///< (action, member): action_reward()
  const std::uint32_t* target;           ///< (cell, word): bit n for member 32·word + n
  View<const std::uint8_t> some_target;  ///< (y, x): 1 in the target of a member at least
  /// (y, x): no way that goes fewer columns and rows than this meets the disc of a member.
  const std::uint8_t* disc_distance;
  View<const Fan> fans;  ///< all actions, in order

  TIDEWISE_HOST_DEVICE std::int32_t words() const { return stride / members_a_word; }
  /// The members that share `member`'s word of a cell's targets.
  TIDEWISE_HOST_DEVICE std::uint32_t targets(std::int32_t cell, std::int32_t member) const {
    return target[static_cast<std::size_t>(cell) * static_cast<std::size_t>(words()) +
                  static_cast<std::size_t>(member / members_a_word)];
  }
};

/// The same in the host's memory: the missions of a group, those that last longest first, so that
/// the members of a level are the first few.
class GroupTable {
 public:
  /// The missions must outlive the table.
  GroupTable(const EnvironmentInfo& info, const std::vector<Action>& actions,
             const std::vector<const Mission*>& missions);

  std::int32_t member_count() const { return static_cast<std::int32_t>(order_.size()); }
  std::int32_t stride() const { return stride_; }
  std::int32_t members_a_lane() const { return members_a_lane_; }
  const Mission& mission(std::int32_t member) const { return *mission_[at(member)]; }
  /// Which of the constructor's missions the member is.
  std::size_t place(std::int32_t member) const { return order_[at(member)]; }
  TimeLevel last() const { return mission(0).last; }
  bool harvests() const { return harvests_; }
  /// Members with L ≥ k: the first so many.
  std::int32_t present(TimeLevel k) const;
  /// Members for which a step begins at level k, in the same order: L > k.
  std::int32_t stepping(TimeLevel k) const { return present(TimeLevel(k.value + 1)); }

  GroupView view() const;

  // As in GroupView.
  std::vector<MemberTerms> terms;
  std::vector<MemberGoal> goal;
  std::vector<float> action_part;
  std::vector<std::uint32_t> target;
  std::vector<std::uint8_t> some_target;
  std::vector<std::uint8_t> disc_distance;
  std::vector<Fan> fans;

 private:
  static std::size_t at(std::int32_t n) { return static_cast<std::size_t>(n); }
  void measure_disc_distances(const Grid& grid);

  std::vector<std::size_t> order_;       // (member)
  std::vector<const Mission*> mission_;  // (member)
  std::int32_t members_a_lane_ = 1;
  std::int32_t stride_ = 0;
  bool harvests_ = false;
};

/// Members with padding, for that many.
std::int32_t group_stride(std::size_t members);

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/device_transfer.h"
#include "base/memory/stream.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/cloud/level_facts.h"
#include "solver/missions/member_planes.h"
#include "solver/missions/table.h"
#include "solver/step/prepared_level.h"

// For .cu files: device memory of DeviceGroupSolver.

namespace tidewise {

/// Data of one level from its preparation until the level before it is backed up.
struct LevelSlot {
  LevelSlot(std::size_t cells, const EnvironmentInfo& info)
      : masked(cells),
        scalar(info.has_scalar ? cells : 0),
        prepared(cells),
        non_terminal(cells),
        coefficients(info.mode_count, info.realization_count),
        facts(1),
        host_facts(1) {}

  DeviceArray<std::uint8_t> masked;  // (y, x)
  DeviceArray<float> scalar;         // (y, x)
  PreparedLevel prepared;
  DeviceArray<std::int32_t> non_terminal;  // cells to count
  DeviceCoefficients coefficients;
  DeviceArray<DeviceLevelFacts> facts;
  PinnedArray<DeviceLevelFacts> host_facts;
  DeviceEvent is_prepared;
  DeviceEvent counted;
  DeviceEvent backed_up;
  TimeLevel level;
  LevelView fields;
};

/// Results of a level until they are collected.
struct ResultSlot {
  ResultSlot(std::size_t cells, std::size_t stride, std::size_t members)
      : value(cells * stride),
        action(cells * stride),
        value_plane(cells * members),
        action_plane(cells * members),
        tally(members),
        host_value(cells * members),
        host_action(cells * members),
        host_tally(members) {}

  DeviceArray<float> value;                // (cell, member)
  DeviceArray<std::int16_t> action;        // (cell, member)
  DeviceArray<float> value_plane;          // (member, cell)
  DeviceArray<std::int16_t> action_plane;  // (member, cell)
  DeviceArray<MemberTally> tally;          // (member)
  PinnedArray<float> host_value;           // (member, cell)
  PinnedArray<std::int16_t> host_action;   // (member, cell)
  PinnedArray<MemberTally> host_tally;     // (member)
  DeviceEvent turned;                      // the planes are complete
  DeviceEvent copied;
  TimeLevel level;
  std::int32_t present = 0;
};

/// A GroupTable in device memory.
class GroupOnDevice {
 public:
  /// Copies the table.
  explicit GroupOnDevice(const GroupTable& table)
      : terms_(upload(table.terms)),
        goal_(upload(table.goal)),
        action_part_(upload(table.action_part)),
        target_(upload(table.target)),
        some_target_(upload(table.some_target)),
        disc_distance_(upload(table.disc_distance)),
        action_groups_(upload(table.action_groups)),
        stride_(table.stride()) {}

  /// View in device memory.
  GroupView view() const {
    return {stride_,        terms_.data(), goal_.data(),          action_part_.data(),
            target_.data(), some_target_,  disc_distance_.data(), action_groups_};
  }

 private:
  DeviceArray<MemberTerms> terms_;
  DeviceArray<MemberGoal> goal_;
  DeviceArray<float> action_part_;
  DeviceArray<std::uint32_t> target_;
  DeviceArray<std::uint8_t> some_target_;
  DeviceArray<std::uint8_t> disc_distance_;
  DeviceArray<ActionGroup> action_groups_;
  std::int32_t stride_;
};

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/device_transfer.h"
#include "base/memory/stream.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/device/level_preparation.h"
#include "solver/missions/member_planes.h"
#include "solver/missions/table.h"

// For .cu files: what DeviceGroupSolver keeps in device memory.

namespace tidewise {

template <class T>
using OnDevice = Array<T, MemorySpace::device>;
template <class T>
using Pinned = Array<T, MemorySpace::pinned>;

/// All that belongs to one level from its preparation until the level before it is backed up.
struct LevelSlot {
  LevelSlot(std::size_t cells, const EnvironmentInfo& info)
      : masked(cells),
        scalar(info.has_scalar ? cells : 0),
        shared_target(cells),
        near_masked(cells),
        near_scratch(cells),
        non_terminal(cells),
        of_class(cells * (frame_classes + 1)),
        coefficient(tiled_coefficient_size(info.mode_count, info.realization_count)),
        range(static_cast<std::size_t>(info.mode_count)),
        facts(1),
        facts_here(1) {}

  OnDevice<std::uint8_t> masked;         // (y, x)
  OnDevice<float> scalar;                // (y, x)
  OnDevice<std::uint8_t> shared_target;  // (y, x): in the target of every member that steps
  OnDevice<std::uint8_t> near_masked;    // (y, x)
  OnDevice<std::uint8_t> near_scratch;   // (y, x)
  OnDevice<std::int32_t> non_terminal;   // cells to count
  OnDevice<std::int32_t> of_class;       // (class): cells to count
  OnDevice<float> coefficient;           // (tile, mode, realization)
  OnDevice<Interval> range;              // (mode)
  OnDevice<DeviceLevelFacts> facts;
  Pinned<DeviceLevelFacts> facts_here;
  DeviceEvent prepared;
  DeviceEvent counted;
  DeviceEvent backed_up;
  TimeLevel level;
  LevelView fields;
};

/// What came of a level, until it is collected.
struct ResultSlot {
  ResultSlot(std::size_t cells, std::size_t stride, std::size_t members)
      : value(cells * stride),
        action(cells * stride),
        value_plane(cells * members),
        action_plane(cells * members),
        tally(members),
        value_here(cells * members),
        action_here(cells * members),
        tally_here(members) {}

  OnDevice<float> value;                // (cell, member)
  OnDevice<std::int16_t> action;        // (cell, member)
  OnDevice<float> value_plane;          // (member, cell)
  OnDevice<std::int16_t> action_plane;  // (member, cell)
  OnDevice<MemberTally> tally;          // (member)
  Pinned<float> value_here;             // (member, cell)
  Pinned<std::int16_t> action_here;     // (member, cell)
  Pinned<MemberTally> tally_here;       // (member)
  DeviceEvent turned;                   // the planes are there
  DeviceEvent copied;
  TimeLevel level;
  std::int32_t present = 0;
};

/// A GroupTable in device memory.
class GroupOnDevice {
 public:
  explicit GroupOnDevice(const GroupTable& table)
      : terms_(upload(table.terms)),
        goal_(upload(table.goal)),
        action_part_(upload(table.action_part)),
        target_(upload(table.target)),
        some_target_(upload(table.some_target)),
        stride_(table.stride()) {}

  GroupView view() const {
    return {stride_,        terms_.data(),      goal_.data(), action_part_.data(),
            target_.data(), some_target_.view()};
  }

 private:
  OnDevice<MemberTerms> terms_;
  OnDevice<MemberGoal> goal_;
  OnDevice<float> action_part_;
  OnDevice<std::uint32_t> target_;
  OnDevice<std::uint8_t> some_target_;
  std::int32_t stride_;
};

}  // namespace tidewise

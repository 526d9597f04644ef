#pragma once

#include <numeric>
#include <vector>

#include "base/kernel/for_each.cuh"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "model_builder/device/actions.h"
#include "model_builder/direct/device.cuh"
#include "solver/backup/device_backup.cuh"
#include "solver/missions/warp_backup.h"
#include "solver/step/mission_outcome.h"

namespace tidewise {

/// DeviceBackup for one member of a group, whose values lie between those of other members.
struct MemberBackup : DeviceBackup {
  std::size_t stride = 0;
  float* member_value = nullptr;          ///< (cell), `stride` apart
  std::int16_t* member_action = nullptr;  ///< (cell), `stride` apart

  __device__ void decide(std::int32_t cell, const Best& best) const {
    // Some member decides in the cell, but this one may not.
    if (!rule.landing.is_non_terminal(static_cast<std::size_t>(cell))) return;
    const std::size_t place = static_cast<std::size_t>(cell) * stride;
    member_value[place] = best.value;
    member_action[place] = static_cast<std::int16_t>(best.action);
  }
};

/// Marks the cells of a member's target in a plane.
struct FindTarget {
  GroupView group;
  std::int32_t member;
  std::uint8_t* target;  ///< (y, x), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t cell) const {
    const std::uint32_t targets = group.targets(static_cast<std::int32_t>(cell), member);
    target[cell] = targets >> member % members_per_word & 1u;
  }
};

/// For .cu files: backup of cells without rows, counted directly for each member. It is as slow as
/// one solve per member, so it is only for the few cells that need it.
class MemberBackups {
 public:
  /// `info` and `table` must outlive this object.
  MemberBackups(const EnvironmentInfo& info, const DeviceActions& actions, const GroupTable& table)
      : info_(info),
        table_(table),
        cells_(info.grid.cell_count()),
        modes_(info.mode_count),
        actions_(actions.view()),
        target_(static_cast<std::size_t>(cells_)) {
    const auto count = static_cast<std::size_t>(actions.count());
    const auto stride = static_cast<std::size_t>(table.stride());
    std::vector<float> part;
    for (std::int32_t m = 0; m < table.member_count(); ++m) {
      for (std::size_t a = 0; a < count; ++a) {
        part.push_back(table.action_part[a * stride + static_cast<std::size_t>(m)]);
      }
    }
    part_ = upload(part);
    std::vector<std::int32_t> itself(count);
    std::iota(itself.begin(), itself.end(), 0);
    part_of_ = upload(itself);
  }

  /// Cells to back up, in device memory.
  struct Cells {
    DeviceCloud cloud;
    DeviceCellLists lists;
    const std::int32_t* list;
    const std::int32_t* count;
  };

  /// Backs up the cells for the first `members` members. `value_planes`: v(k+1, ·), (member, cell).
  void run(const Cells& cells, const GroupStep& step, const float* value_planes,
           std::int32_t members, const DeviceStream& stream) {
    const auto plane = static_cast<std::size_t>(cells_);
    for (std::int32_t m = 0; m < members; ++m) {
      const auto place = static_cast<std::size_t>(m);
      for_each_on_device(plane, FindTarget{step.group, m, target_.data()}, stream);
      MemberBackup backup;
      backup.rule = outcome_rule(info_, table_.mission(m), TimeLevel(step.level),
                                 std::as_const(target_).view(),
                                 {step.landing.masked_now,
                                  step.landing.masked_next,
                                  {step.scalar_now, plane},
                                  {step.scalar_next, plane},
                                  {value_planes + place * plane, plane}});
      backup.kind = std::as_const(part_).view().part(place * part_of_.size(), part_of_.size());
      backup.kind_of = std::as_const(part_of_).view();
      backup.near_masked = step.near_masked;
      backup.inverse_count = step.inverse_count;
      backup.stride = static_cast<std::size_t>(table_.stride());
      backup.member_value = step.value + place;
      backup.member_action = step.action + place;
      constexpr std::int32_t max_blocks = 1024;
      count_directly<<<static_cast<unsigned>(std::min(cells_, max_blocks)), direct_threads,
                       direct_shared_bytes(modes_), native(stream)>>>(
          cells.cloud, actions_, cells.lists, cells.list, cells.count, backup);
      TIDEWISE_CUDA_CHECK(cudaGetLastError());
    }
  }

 private:
  const EnvironmentInfo& info_;
  const GroupTable& table_;
  std::int32_t cells_;
  std::int32_t modes_;
  DeviceActionSet actions_;
  DeviceArray<std::uint8_t> target_;   // (y, x): of the current member
  DeviceArray<float> part_;            // (member, action)
  DeviceArray<std::int32_t> part_of_;  // (action): index into a member's part_
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/device/actions.h"
#include "model_builder/device/row_buffer.h"
#include "solver/missions/table.h"
#include "solver/missions/warp_backup.h"

namespace tidewise {

/// For .cu files: the rows of two levels on the device, one that is counted while the other is
/// backed up for a group.
class GroupRows {
 public:
  /// Which cells are counted, and how.
  struct Work {
    DeviceCloud cloud;
    DeviceCellLists lists;                ///< sorted
    const std::int32_t* cells = nullptr;  ///< all of them
    const std::int32_t* cell_count = nullptr;
    bool lattice = true;
  };

  virtual ~GroupRows() = default;

  virtual FrameLimits limits(std::int32_t frame_class) const = 0;
  /// Counts a level into buffer `n`, 0 or 1, and sends its totals.
  virtual void count(std::size_t n, const Work& work, const DeviceStream& stream) = 0;
  /// Of the level that was counted into the buffer last. The stream must have come past it.
  virtual RowTotals totals(std::size_t n) const = 0;
  /// Whether all rows found room.
  virtual bool is_complete(std::size_t n) const = 0;
  /// Makes the buffer hold what its last level took, if the memory lasts; its rows are lost then
  /// and the answer is yes. No work may use the buffer.
  virtual bool make_room(std::size_t n) = 0;
  /// Cells without rows, and how many: device memory.
  virtual const std::int32_t* left_out(std::size_t n) const = 0;
  virtual const std::int32_t* left_out_count(std::size_t n) const = 0;
  /// Backs up all cells for the first `present` members, from buffer `n`.
  virtual void back_up(std::size_t n, const GroupStep& step, const GroupTable& table,
                       std::int32_t present, const DeviceStream& stream) const = 0;
};

/// `memory`: what the blocks of both buffers may grow to [B]. `info` and `actions` must outlive it.
std::unique_ptr<GroupRows> make_group_rows(const EnvironmentInfo& info, const PositionRule& rule,
                                           const DeviceActions& actions, std::size_t memory);

}  // namespace tidewise

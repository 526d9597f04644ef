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

/// For .cu files: rows of two levels on the device. One level is counted while the other is merged
/// and backed up for a group.
class GroupRows {
 public:
  /// Cells to count.
  struct Work {
    DeviceCloud cloud;
    DeviceCellLists lists;                ///< sorted
    const std::int32_t* cells = nullptr;  ///< all cells
    const std::int32_t* cell_count = nullptr;
    bool lattice = true;
  };

  virtual ~GroupRows() = default;

  /// Histogram sizes of a class of cells.
  virtual FrameLimits limits(std::int32_t frame_class) const = 0;
  /// Counts a level into buffer `n`, 0 or 1, and copies its totals to the host.
  virtual void count(std::size_t n, const Work& work, const DeviceStream& stream) = 0;
  /// Totals of the level counted last into the buffer. The stream must have completed the counting.
  virtual RowTotals totals(std::size_t n) const = 0;
  /// True if all rows fit into the buffer.
  virtual bool is_complete(std::size_t n) const = 0;
  /// Enlarges the buffer to the size that its last level needed, within the memory limit. Returns
  /// true if the buffer was enlarged, which discards its rows. No pending work may use the buffer.
  virtual bool make_room(std::size_t n) = 0;
  /// Cells without rows, in device memory. Their number is left_out_count().
  virtual const std::int32_t* left_out(std::size_t n) const = 0;
  /// Number of cells without rows, in device memory.
  virtual const std::int32_t* left_out_count(std::size_t n) const = 0;
  /// Backs up all cells for the first `present` members, from buffer `n`. All calls use one stream,
  /// because levels share the memory of merged rows.
  virtual void back_up(std::size_t n, const GroupStep& step, const GroupTable& table,
                       std::int32_t present, const DeviceStream& stream) = 0;
};

/// `action_groups`: number of action groups. `memory`: maximum size of the blocks of both buffers
/// and of the landings of a level [B]. `info` and `actions` must outlive the object.
std::unique_ptr<GroupRows> make_group_rows(const EnvironmentInfo& info, const PositionRule& rule,
                                           const DeviceActions& actions, std::size_t action_groups,
                                           std::size_t memory);

}  // namespace tidewise

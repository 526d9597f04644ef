#pragma once

#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "model_builder/device/actions.h"
#include "solver/backup/device_backup.cuh"

namespace tidewise {

/// For .cu files: the lattice engine's backup of a level that leaves the level's explicit model on
/// the device as well (DeviceRows), both from one counting.
class BackupWithRows {
 public:
  /// What a level's model came to.
  struct Size {
    unsigned long long blocks = 0;  ///< of four entries
    std::int32_t left_out = 0;      ///< cells whose clouds were too wide: solved, but without rows
  };

  virtual ~BackupWithRows() = default;

  virtual FrameLimits limits(std::int32_t frame_class) const = 0;
  virtual void run(const DeviceCloud& cloud, const DeviceCellLists& lists,
                   const DeviceBackup& backup, const DeviceStream& stream) = 0;
  /// Of the last level; waits for it.
  virtual Size size(const DeviceStream& stream) const = 0;
};

/// Memory for `blocks_a_row` blocks a row; RunError where a level takes more.
std::unique_ptr<BackupWithRows> make_backup_with_rows(const EnvironmentInfo& info,
                                                      const PositionRule& rule,
                                                      const DeviceActions& actions,
                                                      std::int32_t kinds,
                                                      std::int32_t blocks_a_row);

}  // namespace tidewise

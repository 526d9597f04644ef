#pragma once

#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "model_builder/device/actions.h"
#include "solver/backup/device_backup.cuh"

namespace tidewise {

/// For .cu files: the lattice engine's backup of a level, which also writes the level's explicit
/// model (DeviceRows) on the device. Both use the same counts.
class BackupWithRows {
 public:
  /// Size of a level's model.
  struct Size {
    unsigned long long blocks = 0;  ///< number of blocks of four entries
    /// Cells whose clouds were too wide: solved, but their rows are missing.
    std::int32_t left_out = 0;
  };

  virtual ~BackupWithRows() = default;

  /// Histogram sizes of a class of cells.
  virtual FrameLimits limits(std::int32_t frame_class) const = 0;
  /// Backs up the listed cells and writes their rows.
  virtual void run(const DeviceCloud& cloud, const DeviceCellLists& lists,
                   const DeviceBackup& backup, const DeviceStream& stream) = 0;
  /// Size of the last level's model; waits for it.
  virtual Size size(const DeviceStream& stream) const = 0;
};

/// Allocates `blocks_per_row` blocks for each row. The backup throws RunError if a level needs
/// more.
std::unique_ptr<BackupWithRows> make_backup_with_rows(const EnvironmentInfo& info,
                                                      const PositionRule& rule,
                                                      const DeviceActions& actions,
                                                      std::int32_t kinds,
                                                      std::int32_t blocks_per_row);

}  // namespace tidewise

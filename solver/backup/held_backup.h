#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "model_builder/device/actions.h"
#include "solver/backup/device_backup.cuh"
#include "solver/step/mission.h"

namespace tidewise {

/// For .cu files: the backup of a mission that holds actions (docs/model.md, 3.9), from level L − 1
/// down, with the same bits as LevelBackup.
class HeldBackup {
 public:
  virtual ~HeldBackup() = default;

  /// Moves to level k, the one before the current level.
  virtual void begin(TimeLevel k) = 0;
  /// Values of held actions, (action, y, x). The step from level k reads next(), the values of
  /// level k + 1; run_lattice() and run_direct() write now(), the values of level k. Either may be
  /// empty.
  virtual View<float> next() = 0;
  /// Values of level k; see next().
  virtual View<float> now() = 0;

  /// Back up the current level, in the two launches of DeviceCountLaunch.
  virtual void run_lattice(const DeviceCloud& cloud, const DeviceCellLists& lists,
                           const DeviceBackup& backup, const DeviceStream& stream) = 0;
  virtual void run_direct(const DeviceCloud& cloud, const DeviceCellLists& lists,
                          const std::int32_t* list, const std::int32_t* count,
                          const DeviceBackup& backup, const DeviceStream& stream) = 0;
};

/// Allocates two planes of the grid for each action on the device. `mission` must outlive the
/// object.
std::unique_ptr<HeldBackup> make_held_backup(const EnvironmentInfo& info, const PositionRule& rule,
                                             const DeviceActions& actions, std::int32_t kinds,
                                             const Mission& mission);

}  // namespace tidewise

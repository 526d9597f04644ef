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

/// For .cu files: the backup of a mission that holds actions (docs/model.md, 3.9), from the last
/// level but one down. The same bits as LevelBackup.
class HeldBackup {
 public:
  /// Takes memory(…) on the device. `mission` must outlive it.
  HeldBackup(const EnvironmentInfo& info, const PositionRule& rule, const DeviceActions& actions,
             std::int32_t kinds, const Mission& mission);
  ~HeldBackup();

  /// What each action is worth at two levels [B].
  static std::size_t memory(const EnvironmentInfo& info, std::size_t actions);

  /// As DeviceCountLaunch's two, of level k: the one that comes before the level of the last call.
  void run_lattice(TimeLevel k, const DeviceCloud& cloud, const DeviceCellLists& lists,
                   const DeviceBackup& backup, const DeviceStream& stream);
  void run_direct(TimeLevel k, const DeviceCloud& cloud, const DeviceCellLists& lists,
                  const std::int32_t* list, const std::int32_t* count, const DeviceBackup& backup,
                  const DeviceStream& stream);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise

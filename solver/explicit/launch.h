#pragma once

#include "base/memory/stream.h"
#include "model_builder/explicit/device_compact_level.h"
#include "solver/explicit/rule.h"

namespace tidewise {

// The kernels of solver/explicit/backup.h and solver/explicit/rule.h:
// solver/explicit/launch_cuda.cu, or solver/without_cuda.cpp where every call throws
// RunError. All views are of device memory.

/// How a level is backed up by warps on the current device.
struct ExplicitLaunch {
  std::int32_t blocks = 0;  ///< 0: W of a cell is too large for the device's shared memory
  std::int32_t warps = 0;   ///< of a block
  std::int32_t cells_per_warp = 0;
  std::int32_t kind_bytes = 0;   ///< W of one cell for one kind of action [B]
  std::int32_t table_bytes = 0;  ///< of all kinds: a warp's
  bool begins_early = false;     ///< whether the device can begin a kernel before the last one ends
};

/// `kinds`: distinct rewards of actions.
ExplicitLaunch plan_launch(const DeviceCompactLevel& level, std::int32_t kinds);

/// FindOutcomes over all cells.
void launch_find_outcomes(const FindOutcomes& work, const DeviceStream& stream);

/// back_up_cells() over a level. It may begin before the
/// work that comes before it on `stream` has ended, and reads nothing but the rows until then:
/// these must be complete before that work begins. Requires launch.blocks > 0.
void launch_back_up(const ExplicitLaunch& launch, const ExplicitRule& rule, const PackedView& level,
                    View<float> value, View<std::int16_t> action, const DeviceStream& stream);

/// LookUpRow over all rows.
void launch_look_up(const LookUpRow& work, const DeviceStream& stream);

/// choose_action() over all cells.
void launch_choose_action(const ExplicitRule& rule, std::int32_t action_count,
                          View<const float> expected, View<const float> immediate,
                          View<float> value, View<std::int16_t> action, const DeviceStream& stream);

}  // namespace tidewise

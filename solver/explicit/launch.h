#pragma once

#include "base/memory/stream.h"
#include "model_builder/explicit/device_compact_level.h"
#include "solver/explicit/rule.h"

namespace tidewise {

// Launches the kernels of solver/explicit/backup.h and solver/explicit/rule.h. Defined in
// solver/explicit/launch_cuda.cu; without CUDA in solver/without_cuda.cpp, where every call throws
// RunError. All views are of device memory.

/// Sizes of the launch that backs up a level on the current device.
struct ExplicitLaunch {
  std::int32_t blocks = 0;  ///< 0: the tables exceed the device's shared memory
  std::int32_t warps = 0;   ///< per block
  std::int32_t cells_per_warp = 0;
  std::int32_t kind_bytes = 0;   ///< table of W of one cell for one kind of action [B]
  std::int32_t table_bytes = 0;  ///< tables of all kinds, for each warp [B]
  bool begins_early = false;     ///< true if the device can begin a kernel before the last one ends
};

/// Plans the launch for a level. `kinds`: number of distinct rewards of actions.
ExplicitLaunch plan_launch(const DeviceCompactLevel& level, std::int32_t kinds);

/// Launches FindOutcomes for all cells.
void launch_find_outcomes(const FindOutcomes& work, const DeviceStream& stream);

/// Launches back_up_cells() for a level. It may begin before earlier work on `stream` has ended,
/// and then reads only the rows, which must be complete before that work begins. Requires
/// launch.blocks > 0.
void launch_back_up(const ExplicitLaunch& launch, const ExplicitRule& rule, const PackedView& level,
                    View<float> value, View<std::int16_t> action, const DeviceStream& stream);

/// Launches LookUpRow for all rows.
void launch_look_up(const LookUpRow& work, const DeviceStream& stream);

/// Launches choose_action() for all cells.
void launch_choose_action(const ExplicitRule& rule, std::int32_t action_count,
                          View<const float> expected, View<const float> immediate,
                          View<float> value, View<std::int16_t> action, const DeviceStream& stream);

}  // namespace tidewise

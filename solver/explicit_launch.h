#pragma once

#include "base/stream.h"
#include "model_builder/device_compact_level.h"
#include "solver/explicit_method.h"
#include "solver/explicit_rule.h"

namespace tidewise {

// The kernels of explicit_backup.h and explicit_rule.h: explicit_launch_cuda.cu, or
// explicit_launch_nocuda.cpp where every call throws RunError. All views are of device memory.

/// How a warp method is launched on the current device.
struct ExplicitLaunch {
  std::int32_t blocks = 0;  ///< 0: W of a cell is too large for the device's shared memory
  std::int32_t threads = 0;
  std::int32_t scratch_bytes = 0;  ///< shared memory of one warp [B]
  std::int32_t kind_stride = 0;
};

/// Requires rows, staged or steps, and a level in that method's order. `kinds`: distinct rewards of
/// actions.
ExplicitLaunch plan_launch(ExplicitMethod method, const DeviceCompactLevel& level,
                           std::int32_t kinds);

void launch_mark_cells(const MarkCells& work, const DeviceStream& stream);

/// back_up_cells() over a level. Requires launch.blocks > 0.
void launch_back_up(ExplicitMethod method, const ExplicitLaunch& launch, const ExplicitRule& rule,
                    const PackedView& level, View<float> value, View<std::int16_t> action,
                    const DeviceStream& stream);

/// LookUpRow over all rows.
void launch_look_up(const LookUpRow& work, const DeviceStream& stream);

/// choose_action() over all cells.
void launch_choose_action(const ExplicitRule& rule, std::int32_t action_count,
                          View<const float> expected, View<const float> immediate,
                          View<float> value, View<std::int16_t> action, const DeviceStream& stream);

}  // namespace tidewise

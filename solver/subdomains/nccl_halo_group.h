#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/row_window.h"
#include "solver/induction/device_halo_exchange.h"

namespace tidewise {

enum class NcclSupport { compiled, absent };

/// Whether this build can exchange between devices by NCCL.
NcclSupport nccl_support();

/// By NCCL, each band on a device of its own: (band). `nx`: columns. Who gives up does so for all.
/// NVLink multicast is left off unless the environment variable NCCL_NVLS_ENABLE says otherwise. To
/// be made before the bands' threads. Errors: RunError when NCCL fails, in a build without it
/// always.
std::vector<std::shared_ptr<DeviceHaloExchange>> make_nccl_halo_group(
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices);

}  // namespace tidewise

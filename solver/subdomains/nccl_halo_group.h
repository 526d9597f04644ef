#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/row_window.h"
#include "solver/induction/device_halo_exchange.h"

namespace tidewise {

/// Availability of NCCL in the build.
enum class NcclSupport { compiled, absent };

/// Returns `compiled` if this build can exchange between devices by NCCL.
NcclSupport nccl_support();

/// Exchanges by NCCL, (band), with a different device for each band. `nx`: columns. If one band
/// gives up, all do. NVLink multicast is off unless the environment variable NCCL_NVLS_ENABLE is
/// set. Must be made before the bands' threads. Errors: RunError if NCCL fails, and always in a
/// build without it.
std::vector<std::shared_ptr<DeviceHaloExchange>> make_nccl_halo_group(
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices);

}  // namespace tidewise

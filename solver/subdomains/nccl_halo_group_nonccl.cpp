#include "base/error.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {

NcclSupport nccl_support() { return NcclSupport::absent; }

std::vector<std::shared_ptr<DeviceHaloExchange>> make_nccl_halo_group(
    const std::vector<RowWindow>& /*windows*/, std::int32_t /*nx*/,
    const std::vector<int>& /*devices*/) {
  throw RunError(
      "several GPUs need NCCL to exchange values, and this build does not contain it; install it "
      "and build again, or take one GPU");
}

}  // namespace tidewise

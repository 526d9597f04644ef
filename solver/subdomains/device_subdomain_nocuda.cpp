#include "base/memory/without_cuda.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {

std::unique_ptr<SubdomainPass> make_device_pass(const SharedMission& /*shared*/,
                                                const std::vector<RowWindow>& /*subdomains*/,
                                                const LevelBudget& /*level_budget*/,
                                                std::shared_ptr<DeviceHaloExchange> /*exchange*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

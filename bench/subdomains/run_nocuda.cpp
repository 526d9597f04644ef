#include "base/error.h"
#include "bench/subdomains/run.h"

namespace tidewise {

SubdomainRun run_subdomain(const EnvironmentInfo& /*info*/, const std::vector<Action>& /*actions*/,
                           const Mission& /*mission*/,
                           const std::function<LevelView(TimeLevel)>& /*on_device*/,
                           const SubdomainWork& /*subdomain*/, SumUp /*sum_up*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

#include "base/memory/without_cuda.h"
#include "bench/subdomains/run.h"

namespace tidewise {

SubdomainRun run_subdomain(const EnvironmentInfo& /*info*/, const std::vector<Action>& /*actions*/,
                           const Mission& /*mission*/,
                           const std::function<LevelView(TimeLevel)>& /*on_device*/,
                           const SubdomainWork& /*subdomain*/, Communicator& /*rank*/,
                           SumUp /*sum_up*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/memory/without_cuda.h"
#include "bench/missions/device.h"

namespace tidewise {

double solve_group_on_device(const PlannerProblem& /*problem*/,
                             const std::vector<Action>& /*actions*/,
                             const std::vector<const Mission*>& /*missions*/, Engine /*engine*/,
                             const std::vector<PolicySink*>& /*sinks*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

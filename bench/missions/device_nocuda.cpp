#include "base/error.h"
#include "bench/missions/device.h"

namespace tidewise {

double solve_group_on_device(const PlannerProblem& /*problem*/,
                             const std::vector<Action>& /*actions*/,
                             const std::vector<const Mission*>& /*missions*/, Engine /*engine*/,
                             const std::vector<PolicySink*>& /*sinks*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

#include "base/error.h"
#include "bench/planner/device.h"

namespace tidewise {

double solve_on_device(const PlannerProblem& /*problem*/, const std::vector<Action>& /*actions*/,
                       const Mission& /*mission*/, Engine /*engine*/, PolicySink* /*sink*/,
                       KeepRows /*rows*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

#include "base/memory/without_cuda.h"
#include "bench/planner/device.h"

namespace tidewise {

double solve_on_device(const PlannerProblem& /*problem*/, const std::vector<Action>& /*actions*/,
                       const Mission& /*mission*/, Engine /*engine*/, PolicySink* /*sink*/,
                       KeepRows /*rows*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/memory/without_cuda.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& /*environment*/,
                                          const PlanningProblem& /*problem*/,
                                          const PolicySource& /*policy*/, Progress& /*progress*/,
                                          std::size_t /*scratch*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/error.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& /*environment*/,
                                          const PlanningProblem& /*problem*/,
                                          const PolicySource& /*policy*/, Progress& /*progress*/,
                                          std::size_t /*scratch*/) {
  throw RunError(
      "an evaluation on a device was asked for, but this build has no CUDA; use the CPU");
}

}  // namespace tidewise

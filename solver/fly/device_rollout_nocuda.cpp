#include "base/memory/without_cuda.h"
#include "solver/fly/device_rollout.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

RolloutResult fly_on_device(DeviceEnvironment& /*environment*/, const PlanningProblem& /*problem*/,
                            const PolicySource& /*policy*/, const RolloutOptions& /*options*/,
                            Progress& /*progress*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/error.h"
#include "solver/fly/device_rollout.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

RolloutResult fly_on_device(DeviceEnvironment& /*environment*/, const PlanningProblem& /*problem*/,
                            const PolicySource& /*policy*/, const RolloutOptions& /*options*/,
                            Progress& /*progress*/) {
  throw RunError("flights on a device were asked for, but this build has no CUDA; use the CPU");
}

}  // namespace tidewise

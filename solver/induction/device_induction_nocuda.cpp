#include "base/error.h"
#include "solver/induction/device_induction.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const PlanningProblem& /*problem*/,
                                    const PlannerOptions& /*options*/, PolicySink& /*sink*/,
                                    Progress& /*progress*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const PlanningProblem& /*problem*/,
                                    const PlannerOptions& /*options*/, PolicySink& /*sink*/,
                                    Progress& /*progress*/, std::exception_ptr& /*failure*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

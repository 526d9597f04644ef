#include "base/memory/without_cuda.h"
#include "solver/induction/device_induction.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const PlanningProblem& /*problem*/,
                                    const PlannerOptions& /*options*/, PolicySink& /*sink*/,
                                    Progress& /*progress*/) {
  refuse_without_cuda();
}

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const PlanningProblem& /*problem*/,
                                    const PlannerOptions& /*options*/, PolicySink& /*sink*/,
                                    Progress& /*progress*/, std::exception_ptr& /*failure*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/memory/without_cuda.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

RefinedPolicy refine_policy_on_device(DeviceEnvironment& /*environment*/,
                                      const PlanningProblem& /*problem*/,
                                      const PolicySource& /*policy*/,
                                      const StatesToRefine* /*states*/,
                                      const RefinementOptions& /*options*/, Progress& /*progress*/,
                                      std::size_t /*scratch*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

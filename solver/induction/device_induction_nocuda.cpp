#include "base/error.h"
#include "solver/induction/device_induction.h"

namespace tidewise {

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const std::vector<Action>& /*actions*/,
                                    const Mission& /*mission*/, const PlannerOptions& /*options*/,
                                    PolicySink& /*sink*/, Progress& /*progress*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

SolveReport solve_mission_on_device(DeviceEnvironment& /*environment*/,
                                    const std::vector<Action>& /*actions*/,
                                    const Mission& /*mission*/, const PlannerOptions& /*options*/,
                                    PolicySink& /*sink*/, Progress& /*progress*/,
                                    std::exception_ptr& /*failure*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

#include "base/error.h"
#include "solver/missions/group.h"

namespace tidewise {

GroupReport solve_missions_on_device(DeviceEnvironment& /*environment*/,
                                     const std::vector<Action>& /*actions*/,
                                     const std::vector<GroupMember>& /*members*/,
                                     const PlannerOptions& /*options*/, Progress& /*progress*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

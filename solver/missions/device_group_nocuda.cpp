#include "base/memory/without_cuda.h"
#include "solver/missions/group.h"

namespace tidewise {

GroupReport solve_missions_on_device(DeviceEnvironment& /*environment*/,
                                     const std::vector<Action>& /*actions*/,
                                     const std::vector<GroupMember>& /*members*/,
                                     const PlannerOptions& /*options*/, Progress& /*progress*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

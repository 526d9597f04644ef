#include "base/memory/without_cuda.h"
#include "solver/explicit/launch.h"

namespace tidewise {

ExplicitLaunch plan_launch(const DeviceCompactLevel& /*level*/, std::int32_t /*kinds*/) {
  refuse_without_cuda();
}
void launch_find_outcomes(const FindOutcomes& /*work*/, const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}
void launch_back_up(const ExplicitLaunch& /*launch*/, const ExplicitRule& /*rule*/,
                    const PackedView& /*level*/, View<float> /*value*/,
                    View<std::int16_t> /*action*/, const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}
void launch_look_up(const LookUpRow& /*work*/, const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}
void launch_choose_action(const ExplicitRule& /*rule*/, std::int32_t /*action_count*/,
                          View<const float> /*expected*/, View<const float> /*immediate*/,
                          View<float> /*value*/, View<std::int16_t> /*action*/,
                          const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

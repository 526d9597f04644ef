#include "base/error.h"
#include "solver/explicit/launch.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}
}  // namespace

ExplicitLaunch plan_launch(const DeviceCompactLevel& /*level*/, std::int32_t /*kinds*/) {
  refuse();
}
void launch_find_outcomes(const FindOutcomes& /*work*/, const DeviceStream& /*stream*/) {
  refuse();
}
void launch_back_up(const ExplicitLaunch& /*launch*/, const ExplicitRule& /*rule*/,
                    const PackedView& /*level*/, View<float> /*value*/,
                    View<std::int16_t> /*action*/, const DeviceStream& /*stream*/) {
  refuse();
}
void launch_look_up(const LookUpRow& /*work*/, const DeviceStream& /*stream*/) { refuse(); }
void launch_choose_action(const ExplicitRule& /*rule*/, std::int32_t /*action_count*/,
                          View<const float> /*expected*/, View<const float> /*immediate*/,
                          View<float> /*value*/, View<std::int16_t> /*action*/,
                          const DeviceStream& /*stream*/) {
  refuse();
}

}  // namespace tidewise

#include "base/error.h"
#include "solver/evaluate/device_evaluation.h"

namespace tidewise {

ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& /*environment*/,
                                          const std::vector<Action>& /*actions*/,
                                          const Mission& /*mission*/,
                                          const PolicySource& /*policy*/, Progress& /*progress*/,
                                          std::size_t /*scratch*/) {
  throw RunError(
      "an evaluation on a device was asked for, but this build has no CUDA; use the CPU");
}

}  // namespace tidewise

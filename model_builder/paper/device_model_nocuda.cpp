#include "base/error.h"
#include "model_builder/paper/device_model.h"

namespace tidewise {

DevicePaperModel::DevicePaperModel(const Grid& /*grid*/, const TimeAxis& /*time*/,
                                   const std::vector<Action>& /*actions*/,
                                   std::int32_t /*block_size*/, std::int32_t /*batch*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

// No object of this class exists in this build.
void DevicePaperModel::build_action(const DevicePaperLevel& /*level*/, ActionIndex /*action*/,
                                    PaperModel& /*model*/, const DeviceStream& /*stream*/) {}
void DevicePaperModel::build_level(const DevicePaperLevel& /*level*/,
                                   std::vector<PaperModel>& /*models*/,
                                   const DeviceStream& /*stream*/) {}

}  // namespace tidewise

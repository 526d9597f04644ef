#include "base/memory/without_cuda.h"
#include "model_builder/paper/device_model.h"

namespace tidewise {

DevicePaperModel::DevicePaperModel(const PositionRule& /*rule*/, const Grid& /*grid*/,
                                   const TimeAxis& /*time*/, const std::vector<Action>& /*actions*/,
                                   std::int32_t /*block_size*/, std::int32_t /*batch*/) {
  refuse_without_cuda();
}

// No object of this class exists in this build.
void DevicePaperModel::build_action(const DevicePaperLevel& /*level*/, ActionIndex /*action*/,
                                    PaperModel& /*model*/, const DeviceStream& /*stream*/) {}
void DevicePaperModel::build_level(const DevicePaperLevel& /*level*/,
                                   std::vector<PaperModel>& /*models*/,
                                   const DeviceStream& /*stream*/) {}

}  // namespace tidewise

#include "base/memory/without_cuda.h"

#include "env/device/device_validation.h"

namespace tidewise {

void validate_on_device(const LevelValidation&, const DeviceVerdict&, const DeviceStream&) {
  refuse_without_cuda();
}

void join_on_device(const JoinProfiles&, const DeviceVerdict&, const DeviceStream&) {
  refuse_without_cuda();
}

}  // namespace tidewise

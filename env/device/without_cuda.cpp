#include "base/memory/without_cuda.h"

#include "env/device/device_validation.h"

namespace tidewise {

void validate_on_device(const LevelValidation&, const ValidationFlags&, const DeviceStream&) {
  refuse_without_cuda();
}

void join_on_device(const JoinProfiles&, const ValidationFlags&, const DeviceStream&) {
  refuse_without_cuda();
}

}  // namespace tidewise

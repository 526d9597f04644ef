#include "base/memory/without_cuda.h"
#include "env/device/device_validation.h"

namespace tidewise {

void validate_on_device(const LevelValidation& /*validate*/, const DeviceVerdict& /*verdict*/,
                        const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/error.h"
#include "env/device/device_validation.h"

namespace tidewise {

void validate_on_device(const LevelValidation& /*validate*/, const DeviceVerdict& /*verdict*/,
                        const DeviceStream& /*stream*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise

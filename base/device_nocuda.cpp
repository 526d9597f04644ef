#include "base/device.h"
#include "base/error.h"

namespace tidewise {

CudaSupport cuda_support() { return CudaSupport::absent; }
int device_count() { return 0; }
std::string device_name(int /*device*/) { return {}; }
void use_device(int /*device*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}
int current_device() { return 0; }
DeviceMemory device_memory() { return {}; }

}  // namespace tidewise

#include "base/error.h"
#include "base/memory/device.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}
}  // namespace

CudaSupport cuda_support() { return CudaSupport::absent; }
int device_count() { return 0; }
std::string device_name(int /*device*/) { return {}; }
void use_device(int /*device*/) { refuse(); }
DeviceMemory device_memory() { return {}; }
int current_device() { refuse(); }
void wait_for_device() { refuse(); }

}  // namespace tidewise

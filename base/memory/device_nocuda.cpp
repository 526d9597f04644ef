#include "base/memory/device.h"
#include "base/memory/without_cuda.h"

namespace tidewise {

CudaSupport cuda_support() { return CudaSupport::absent; }
int device_count() { return 0; }
std::string device_name(int /*device*/) { return {}; }
void use_device(int /*device*/) { refuse_without_cuda(); }
DeviceMemory device_memory() { return {}; }
int current_device() { refuse_without_cuda(); }
void wait_for_device() { refuse_without_cuda(); }

}  // namespace tidewise

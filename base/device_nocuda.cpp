#include "base/device.h"

namespace tidewise {

CudaSupport cuda_support() { return CudaSupport::absent; }
int device_count() { return 0; }
std::string device_name(int /*device*/) { return {}; }

}  // namespace tidewise

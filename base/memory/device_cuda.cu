#include "base/memory/cuda_check.h"
#include "base/memory/device.h"

namespace tidewise {

CudaSupport cuda_support() { return CudaSupport::compiled; }

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

std::string device_name(int device) {
  cudaDeviceProp properties{};
  TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

void use_device(int device) { TIDEWISE_CUDA_CHECK(cudaSetDevice(device)); }

DeviceMemory device_memory() {
  DeviceMemory memory;
  TIDEWISE_CUDA_CHECK(cudaMemGetInfo(&memory.free, &memory.total));
  return memory;
}

int current_device() {
  int device = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

void wait_for_device() { TIDEWISE_CUDA_CHECK(cudaDeviceSynchronize()); }

}  // namespace tidewise

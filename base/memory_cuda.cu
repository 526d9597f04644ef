#include <string>

#include "base/cuda_check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/native_stream.h"

namespace tidewise {

void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line) {
  (void)cudaGetLastError();
  const std::string where = std::string(file) + ":" + std::to_string(line);
  if (status == cudaErrorMemoryAllocation) {
    throw RunError("out of device memory in " + std::string(call) + " (" + where +
                   "); use fewer realizations, or --backend cpu");
  }
  throw RunError("CUDA call " + std::string(call) + " failed: " + cudaGetErrorName(status) + " (" +
                 cudaGetErrorString(status) + ") at " + where);
}

void* allocate_on_device(std::size_t bytes) {
  void* memory = nullptr;
  TIDEWISE_CUDA_CHECK(cudaMalloc(&memory, bytes));
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  TIDEWISE_CUDA_CHECK(cudaMallocHost(&memory, bytes));
  return memory;
}

void deallocate_on_device(void* memory) noexcept { (void)cudaFree(memory); }
void deallocate_pinned(void* memory) noexcept { (void)cudaFreeHost(memory); }

void copy_with_device(void* destination, const void* source, std::size_t bytes) {
  TIDEWISE_CUDA_CHECK(cudaMemcpy(destination, source, bytes, cudaMemcpyDefault));
}

void copy_with_device(void* destination, const void* source, std::size_t bytes,
                      const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(
      cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, native(stream)));
}

}  // namespace tidewise

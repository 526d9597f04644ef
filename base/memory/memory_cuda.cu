#include <string>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/memory/cuda_check.h"
#include "base/memory/memory.h"
#include "base/memory/native_stream.h"

namespace tidewise {

namespace {

/// True if the device still answers. After some errors every later call fails.
bool device_answers() { return cudaDeviceSynchronize() == cudaSuccess; }

/// Text on the free memory: ", 300 MB of 8.0 GB free"; empty if the device does not report it.
std::string free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return {};
  return ", " + describe_bytes(static_cast<double>(free)) + " of " +
         describe_bytes(static_cast<double>(total)) + " free";
}

[[noreturn]] void refuse_allocation(const std::string& wanted) {
  throw RunError("out of device memory: " + wanted + free_memory() +
                 "; give less with --device-memory, use fewer realizations, modes or cells, or "
                 "use --backend cpu");
}

}  // namespace

void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line) {
  (void)cudaGetLastError();
  const std::string what = std::string(cudaGetErrorName(status)) + ", " +
                           cudaGetErrorString(status) + ", in " + call + " at " + file + ":" +
                           std::to_string(line);
  if (status == cudaErrorMemoryAllocation) refuse_allocation("wanted by " + std::string(call));
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    throw RunError("no GPU can be used (" + what + "); use --backend cpu");
  }
  if (!device_answers()) {
    throw RunError("the device was lost (" + what +
                   "): nothing was written; run again, or with --backend cpu");
  }
  throw RunError("CUDA failed (" + what + "); run again, or with --backend cpu");
}

void* allocate_on_device(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    refuse_allocation(describe_bytes(static_cast<double>(bytes)) + " wanted");
  }
  if (status != cudaSuccess) throw_cuda_error(status, "cudaMalloc", __FILE__, __LINE__);
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMallocHost(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw RunError("out of pinned memory: " + describe_bytes(static_cast<double>(bytes)) +
                   " of host memory cannot be pinned; use fewer realizations, "
                   "modes or cells, raise the limit on locked memory, or use --backend cpu");
  }
  if (status != cudaSuccess) throw_cuda_error(status, "cudaMallocHost", __FILE__, __LINE__);
  return memory;
}

void deallocate_on_device(void* memory) noexcept { (void)cudaFree(memory); }
void deallocate_pinned(void* memory) noexcept { (void)cudaFreeHost(memory); }

void copy_with_device(void* destination, const void* source, std::size_t bytes) {
  TIDEWISE_CUDA_CHECK(cudaMemcpy(destination, source, bytes, cudaMemcpyDefault));
  // From pageable memory cudaMemcpy may return before the last bytes have arrived, and the streams
  // of this program do not wait for the default one.
  TIDEWISE_CUDA_CHECK(cudaStreamSynchronize(cudaStreamLegacy));
}

void copy_with_device(void* destination, const void* source, std::size_t bytes,
                      const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(
      cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, native(stream)));
}

}  // namespace tidewise

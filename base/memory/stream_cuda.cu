#include <utility>

#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"

namespace tidewise {
namespace {

cudaEvent_t native_event(void* handle) { return static_cast<cudaEvent_t>(handle); }

}  // namespace

DeviceStream::DeviceStream() {
  cudaStream_t stream = nullptr;
  TIDEWISE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  handle_ = stream;
}

DeviceStream::DeviceStream(DeviceStream&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

DeviceStream& DeviceStream::operator=(DeviceStream&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

DeviceStream::~DeviceStream() {
  if (handle_ != nullptr) (void)cudaStreamDestroy(native(*this));
}

void DeviceStream::synchronize() const {
  TIDEWISE_CUDA_CHECK(cudaStreamSynchronize(native(*this)));
}

DeviceEvent::DeviceEvent() {
  cudaEvent_t event = nullptr;
  TIDEWISE_CUDA_CHECK(cudaEventCreate(&event));
  handle_ = event;
}

DeviceEvent::DeviceEvent(DeviceEvent&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

DeviceEvent& DeviceEvent::operator=(DeviceEvent&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

DeviceEvent::~DeviceEvent() {
  if (handle_ != nullptr) (void)cudaEventDestroy(native_event(handle_));
}

void DeviceEvent::record(const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(cudaEventRecord(native_event(handle_), native(stream)));
}

void DeviceEvent::synchronize() const {
  TIDEWISE_CUDA_CHECK(cudaEventSynchronize(native_event(handle_)));
}

void DeviceEvent::hold_up(const DeviceStream& stream) const {
  TIDEWISE_CUDA_CHECK(cudaStreamWaitEvent(native(stream), native_event(handle_), 0));
}

double DeviceEvent::milliseconds_since(const DeviceEvent& earlier) const {
  float milliseconds = 0;
  TIDEWISE_CUDA_CHECK(
      cudaEventElapsedTime(&milliseconds, native_event(earlier.handle_), native_event(handle_)));
  return milliseconds;
}

}  // namespace tidewise

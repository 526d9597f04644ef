#include "base/memory/without_cuda.h"

#include "base/memory/device.h"
#include "base/memory/device_report.h"
#include "base/memory/memory.h"
#include "base/memory/stream.h"

namespace tidewise {

CudaSupport cuda_support() { return CudaSupport::absent; }
int device_count() { return 0; }
std::string device_name(int) { return {}; }
void use_device(int) { refuse_without_cuda(); }
DeviceMemory device_memory() { return {}; }
int current_device() { refuse_without_cuda(); }
void wait_for_device() { refuse_without_cuda(); }

DeviceReport report_devices() { return {}; }
KernelReport start_device(int) { return {}; }

void* allocate_on_device(std::size_t) { refuse_without_cuda(); }
void* allocate_pinned(std::size_t) { refuse_without_cuda(); }
void deallocate_on_device(void*) noexcept {}
void deallocate_pinned(void*) noexcept {}
void copy_with_device(void*, const void*, std::size_t) { refuse_without_cuda(); }
void copy_with_device(void*, const void*, std::size_t, const DeviceStream&) {
  refuse_without_cuda();
}

DeviceStream::DeviceStream() { refuse_without_cuda(); }
DeviceStream::DeviceStream(DeviceStream&&) noexcept = default;
DeviceStream& DeviceStream::operator=(DeviceStream&&) noexcept = default;
DeviceStream::~DeviceStream() = default;
void DeviceStream::synchronize() const { refuse_without_cuda(); }

DeviceEvent::DeviceEvent() { refuse_without_cuda(); }
DeviceEvent::DeviceEvent(DeviceEvent&&) noexcept = default;
DeviceEvent& DeviceEvent::operator=(DeviceEvent&&) noexcept = default;
DeviceEvent::~DeviceEvent() = default;
void DeviceEvent::record(const DeviceStream&) { refuse_without_cuda(); }
void DeviceEvent::synchronize() const { refuse_without_cuda(); }
void DeviceEvent::hold_up(const DeviceStream&) const { refuse_without_cuda(); }
double DeviceEvent::milliseconds_since(const DeviceEvent&) const { refuse_without_cuda(); }

}  // namespace tidewise

#include "base/error.h"
#include "base/memory/stream.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}
}  // namespace

DeviceStream::DeviceStream() { refuse(); }
DeviceStream::DeviceStream(DeviceStream&& /*other*/) noexcept = default;
DeviceStream& DeviceStream::operator=(DeviceStream&& /*other*/) noexcept = default;
DeviceStream::~DeviceStream() = default;
void DeviceStream::synchronize() const { refuse(); }

DeviceEvent::DeviceEvent() { refuse(); }
DeviceEvent::DeviceEvent(DeviceEvent&& /*other*/) noexcept = default;
DeviceEvent& DeviceEvent::operator=(DeviceEvent&& /*other*/) noexcept = default;
DeviceEvent::~DeviceEvent() = default;
void DeviceEvent::record(const DeviceStream& /*stream*/) { refuse(); }
void DeviceEvent::synchronize() const { refuse(); }
void DeviceEvent::hold_up(const DeviceStream& /*stream*/) const { refuse(); }
double DeviceEvent::milliseconds_since(const DeviceEvent& /*earlier*/) const { refuse(); }

}  // namespace tidewise

#include "base/memory/stream.h"
#include "base/memory/without_cuda.h"

namespace tidewise {

DeviceStream::DeviceStream() { refuse_without_cuda(); }
DeviceStream::DeviceStream(DeviceStream&& /*other*/) noexcept = default;
DeviceStream& DeviceStream::operator=(DeviceStream&& /*other*/) noexcept = default;
DeviceStream::~DeviceStream() = default;
void DeviceStream::synchronize() const { refuse_without_cuda(); }

DeviceEvent::DeviceEvent() { refuse_without_cuda(); }
DeviceEvent::DeviceEvent(DeviceEvent&& /*other*/) noexcept = default;
DeviceEvent& DeviceEvent::operator=(DeviceEvent&& /*other*/) noexcept = default;
DeviceEvent::~DeviceEvent() = default;
void DeviceEvent::record(const DeviceStream& /*stream*/) { refuse_without_cuda(); }
void DeviceEvent::synchronize() const { refuse_without_cuda(); }
void DeviceEvent::hold_up(const DeviceStream& /*stream*/) const { refuse_without_cuda(); }
double DeviceEvent::milliseconds_since(const DeviceEvent& /*earlier*/) const {
  refuse_without_cuda();
}

}  // namespace tidewise

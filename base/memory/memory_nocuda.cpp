#include "base/error.h"
#include "base/memory/memory.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("device memory was asked for, but this build has no CUDA backend; use the CPU");
}
}  // namespace

void* allocate_on_device(std::size_t /*bytes*/) { refuse(); }
void* allocate_pinned(std::size_t /*bytes*/) { refuse(); }
void deallocate_on_device(void* /*memory*/) noexcept {}
void deallocate_pinned(void* /*memory*/) noexcept {}
void copy_with_device(void* /*destination*/, const void* /*source*/, std::size_t /*bytes*/) {
  refuse();
}
void copy_with_device(void* /*destination*/, const void* /*source*/, std::size_t /*bytes*/,
                      const DeviceStream& /*stream*/) {
  refuse();
}

}  // namespace tidewise

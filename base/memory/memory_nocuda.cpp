#include "base/memory/memory.h"
#include "base/memory/without_cuda.h"

namespace tidewise {

void* allocate_on_device(std::size_t /*bytes*/) { refuse_without_cuda(); }
void* allocate_pinned(std::size_t /*bytes*/) { refuse_without_cuda(); }
void deallocate_on_device(void* /*memory*/) noexcept {}
void deallocate_pinned(void* /*memory*/) noexcept {}
void copy_with_device(void* /*destination*/, const void* /*source*/, std::size_t /*bytes*/) {
  refuse_without_cuda();
}
void copy_with_device(void* /*destination*/, const void* /*source*/, std::size_t /*bytes*/,
                      const DeviceStream& /*stream*/) {
  refuse_without_cuda();
}

}  // namespace tidewise

#include "base/memory.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/stream.h"

namespace tidewise {
namespace {

constexpr std::size_t alignment = 64;  // [B] one cache line, and the widest vector

// [B] the most that an object may span; rounding it up to the alignment does not wrap.
constexpr auto most_bytes = static_cast<std::size_t>(PTRDIFF_MAX);

void* allocate_on_host(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    throw RunError(fmt::format(
        "out of memory: {} bytes could not be had; use fewer realizations, modes or cells", bytes));
  }
  return memory;
}

}  // namespace

std::size_t byte_count(std::size_t size, std::size_t element_size) {
  if (size > most_bytes / element_size) {
    throw RunError(
        fmt::format("out of memory: {} elements of {} bytes are more than any machine can hold; "
                    "use fewer realizations, modes or cells",
                    size, element_size));
  }
  return size * element_size;
}

void* allocate(MemorySpace space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  (void)byte_count(bytes, 1);
  switch (space) {
    case MemorySpace::host:
      break;
    case MemorySpace::pinned:
      return allocate_pinned(bytes);
    case MemorySpace::device:
      return allocate_on_device(bytes);
  }
  return allocate_on_host(bytes);
}

void deallocate(MemorySpace space, void* memory) noexcept {
  if (memory == nullptr) return;
  switch (space) {
    case MemorySpace::host:
      return std::free(memory);
    case MemorySpace::pinned:
      return deallocate_pinned(memory);
    case MemorySpace::device:
      return deallocate_on_device(memory);
  }
}

void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes) {
  if (bytes == 0) return;
  if (to != MemorySpace::device && from != MemorySpace::device) {
    std::memcpy(destination, source, bytes);
  } else {
    copy_with_device(destination, source, bytes);
  }
}

void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes, const DeviceStream& stream) {
  if (bytes == 0) return;
  (void)byte_count(bytes, 1);
  if (to != MemorySpace::device && from != MemorySpace::device) stream.synchronize();
  copy_with_device(destination, source, bytes, stream);
}

}  // namespace tidewise

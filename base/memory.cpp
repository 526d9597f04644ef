#include "base/memory.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

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
  return space == MemorySpace::host ? allocate_on_host(bytes) : allocate_on_device(bytes);
}

void deallocate(MemorySpace space, void* memory) noexcept {
  if (memory == nullptr) return;
  if (space == MemorySpace::host) {
    std::free(memory);
  } else {
    deallocate_on_device(memory);
  }
}

void copy_bytes(MemorySpace to, void* destination, MemorySpace from, const void* source,
                std::size_t bytes) {
  if (bytes == 0) return;
  if (to == MemorySpace::host && from == MemorySpace::host) {
    std::memcpy(destination, source, bytes);
  } else {
    copy_with_device(to, destination, from, source, bytes);
  }
}

}  // namespace tidewise

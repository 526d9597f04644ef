#include "base/memory.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace tidewise {
namespace {

constexpr std::size_t alignment = 64;  // [B] one cache line, and the widest vector

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

void* allocate(MemorySpace space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
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

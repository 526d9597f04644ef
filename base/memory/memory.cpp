#include "base/memory/memory.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/memory/stream.h"

namespace tidewise {
namespace {

constexpr std::size_t alignment = 64;  // [B] a cache line, and the widest vector

// Largest size of an object [B]; rounding it up to the alignment does not overflow.
constexpr auto max_bytes = static_cast<std::size_t>(PTRDIFF_MAX);

/// Device memory in use, for peak_device_memory(). One per process.
struct DeviceTally {
  std::atomic<std::size_t> held = 0;
  std::atomic<std::size_t> peak = 0;

  void add(std::size_t bytes) {
    const std::size_t current = held += bytes;
    for (std::size_t known_peak = peak;
         known_peak < current && !peak.compare_exchange_weak(known_peak, current);)
      continue;
  }
};

DeviceTally& device_tally() {
  static DeviceTally tally;
  return tally;
}

void* allocate_on_host(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    throw RunError(fmt::format(
        "out of memory: {} bytes are not available; use fewer realizations, modes or cells",
        bytes));
  }
  return memory;
}

}  // namespace

std::size_t byte_count(std::size_t size, std::size_t element_size) {
  if (size > max_bytes / element_size) {
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
  void* memory = nullptr;
  switch (space) {
    case MemorySpace::host:
      memory = allocate_on_host(bytes);
      break;
    case MemorySpace::pinned:
      memory = allocate_pinned(bytes);
      break;
    case MemorySpace::device:
      memory = allocate_on_device(bytes);
      device_tally().add(bytes);
      break;
  }
  return memory;
}

void deallocate(MemorySpace space, void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  switch (space) {
    case MemorySpace::host:
      return std::free(memory);
    case MemorySpace::pinned:
      return deallocate_pinned(memory);
    case MemorySpace::device:
      device_tally().held -= bytes;
      return deallocate_on_device(memory);
  }
}

std::size_t peak_device_memory() { return device_tally().peak; }

void forget_peak_device_memory() { device_tally().peak = device_tally().held.load(); }

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

#pragma once

// For .cu files: large copies between pageable host memory and the device.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "base/memory/thread_copy.h"

namespace tidewise {

/// Copies through a small amount of pinned memory: one chunk moves to or from the device while
/// threads fill or empty the other. Pinning the large memory itself would take longer than it
/// saves, and a plain copy is limited by its one thread.
class PinnedTransfer {
 public:
  /// `max_bytes`: largest copy [B]; `max_chunk`: limit of a chunk [B]; `threads` ≥ 1.
  PinnedTransfer(std::size_t max_bytes, std::size_t max_chunk, std::int32_t threads)
      : chunk_(std::clamp<std::size_t>(max_bytes, 64, max_chunk)),
        threads_(std::min(threads, max_threads)),
        pinned_(2 * chunk_) {}

  /// Copies after all work so far on `stream`; returns when the bytes are there.
  void to_host(void* to, const void* from, std::size_t bytes, const DeviceStream& stream) {
    auto* const destination = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    const auto ask_for = [&](std::size_t n) {
      if (n * chunk_ >= bytes) return;
      copy_bytes(MemorySpace::pinned, room_of(n), MemorySpace::device, source + n * chunk_,
                 std::min(chunk_, bytes - n * chunk_), stream);
      passed_[n % 2].record(stream);
    };
    ask_for(0);
    for (std::size_t n = 0; n * chunk_ < bytes; ++n) {
      ask_for(n + 1);  // into the memory of chunk n − 1, which is free
      passed_[n % 2].synchronize();
      copy_by_threads(destination + n * chunk_, room_of(n), std::min(chunk_, bytes - n * chunk_),
                      threads_);
    }
  }
  /// Copies to the device, before later work on `stream`; returns when the bytes are there.
  void to_device(void* to, const void* from, std::size_t bytes, const DeviceStream& stream) {
    auto* const destination = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    for (std::size_t n = 0; n * chunk_ < bytes; ++n) {
      const std::size_t size = std::min(chunk_, bytes - n * chunk_);
      passed_[n % 2].synchronize();  // chunk n − 2 has left this memory
      copy_by_threads(room_of(n), source + n * chunk_, size, threads_);
      copy_bytes(MemorySpace::device, destination + n * chunk_, MemorySpace::pinned, room_of(n),
                 size, stream);
      passed_[n % 2].record(stream);
    }
    stream.synchronize();
  }

 private:
  unsigned char* room_of(std::size_t chunk) { return pinned_.data() + chunk % 2 * chunk_; }

  static constexpr std::int32_t max_threads = 8;
  std::size_t chunk_;
  std::int32_t threads_;
  PinnedArray<unsigned char> pinned_;  // two chunks
  std::array<DeviceEvent, 2> passed_;
};

}  // namespace tidewise

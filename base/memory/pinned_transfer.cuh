#pragma once

// For .cu files: large copies between pageable memory of the host and the device.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "base/memory/thread_copy.h"

namespace tidewise {

/// Copies by way of a little pinned memory: one chunk is on its way to or from the device while
/// threads bring or take another. Nothing large is pinned for it, which would take longer than it
/// saves, and the one thread of a plain copy is no bound.
class PinnedTransfer {
 public:
  /// `most_bytes`: of what is ever copied; `most_chunk`: at a time; `threads` ≥ 1.
  PinnedTransfer(std::size_t most_bytes, std::size_t most_chunk, std::int32_t threads)
      : chunk_(std::clamp<std::size_t>(most_bytes, 64, most_chunk)),
        threads_(std::min(threads, most_threads)),
        pinned_(2 * chunk_) {}

  /// After all work so far on `stream`; the bytes are there when it returns.
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
      ask_for(n + 1);  // where chunk n − 1 was, which has been taken
      passed_[n % 2].synchronize();
      copy_by_threads(destination + n * chunk_, room_of(n), std::min(chunk_, bytes - n * chunk_),
                      threads_);
    }
  }
  /// The same the other way.
  void to_device(void* to, const void* from, std::size_t bytes, const DeviceStream& stream) {
    auto* const destination = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    for (std::size_t n = 0; n * chunk_ < bytes; ++n) {
      const std::size_t size = std::min(chunk_, bytes - n * chunk_);
      passed_[n % 2].synchronize();  // chunk n − 2 has left the room
      copy_by_threads(room_of(n), source + n * chunk_, size, threads_);
      copy_bytes(MemorySpace::device, destination + n * chunk_, MemorySpace::pinned, room_of(n),
                 size, stream);
      passed_[n % 2].record(stream);
    }
    stream.synchronize();
  }

 private:
  unsigned char* room_of(std::size_t chunk) { return pinned_.data() + chunk % 2 * chunk_; }

  static constexpr std::int32_t most_threads = 8;
  std::size_t chunk_;
  std::int32_t threads_;
  PinnedArray<unsigned char> pinned_;  // two chunks
  std::array<DeviceEvent, 2> passed_;
};

}  // namespace tidewise

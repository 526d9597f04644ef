#pragma once

// For .cu files: what a device found, on its way into vectors of the host.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "base/stream.h"
#include "solver/mdp/thread_copy.h"

namespace tidewise {

/// Copies device memory to pageable memory by way of a little pinned memory: one chunk comes from
/// the device while threads take the other on. Several times as fast as the one thread of a plain
/// copy, and nothing large is pinned for it, which would take longer than it saves.
class AnswerTransfer {
 public:
  /// `most_bytes`: of what is ever copied; `threads` ≥ 1.
  AnswerTransfer(std::size_t most_bytes, std::int32_t threads)
      : chunk_(std::clamp<std::size_t>(most_bytes, 64, most_chunk)),
        threads_(std::min(threads, most_threads)),
        pinned_(2 * chunk_) {}

  /// After all work so far on `stream`; the bytes are there when it returns.
  void copy(void* to, const void* from, std::size_t bytes, const DeviceStream& stream) {
    auto* const destination = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    const std::size_t chunks = (bytes + chunk_ - 1) / chunk_;
    const auto size_of = [&](std::size_t n) { return std::min(chunk_, bytes - n * chunk_); };
    const auto ask_for = [&](std::size_t n) {
      if (n >= chunks) return;
      copy_bytes(MemorySpace::pinned, pinned_.data() + n % 2 * chunk_, MemorySpace::device,
                 source + n * chunk_, size_of(n), stream);
      there_[n % 2].record(stream);
    };
    ask_for(0);
    for (std::size_t n = 0; n < chunks; ++n) {
      ask_for(n + 1);  // where chunk n − 1 was, which has been taken on
      there_[n % 2].synchronize();
      copy_by_threads(destination + n * chunk_, pinned_.data() + n % 2 * chunk_, size_of(n),
                      threads_);
    }
  }

 private:
  static constexpr std::size_t most_chunk = 512 << 10;
  static constexpr std::int32_t most_threads = 4;
  std::size_t chunk_;
  std::int32_t threads_;
  Array<unsigned char, MemorySpace::pinned> pinned_;  // two chunks
  std::array<DeviceEvent, 2> there_;
};

}  // namespace tidewise

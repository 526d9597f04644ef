#include "base/memory/thread_copy.h"

#include <algorithm>
#include <cstring>

namespace tidewise {

void copy_by_threads(void* to, const void* from, std::size_t bytes, std::int32_t threads) {
  constexpr std::size_t piece = 64 << 10;  // smaller pieces do not justify a thread
  const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && pieces > 1)
  for (std::int64_t n = 0; n < pieces; ++n) {
    const std::size_t offset = static_cast<std::size_t>(n) * piece;
    std::memcpy(static_cast<unsigned char*>(to) + offset,
                static_cast<const unsigned char*>(from) + offset, std::min(piece, bytes - offset));
  }
}

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <cstdint>

namespace tidewise {

/// std::memcpy by up to `threads` ≥ 1 threads.
void copy_by_threads(void* to, const void* from, std::size_t bytes, std::int32_t threads);

}  // namespace tidewise

#pragma once

#include <cstdint>

namespace tidewise {

/// The most memory this process has held at once so far: its greatest resident set [bytes].
std::int64_t peak_memory_bytes();

}  // namespace tidewise

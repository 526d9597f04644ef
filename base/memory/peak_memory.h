#pragma once

#include <cstdint>

namespace tidewise {

/// Peak memory of this process: its largest resident set [B].
std::int64_t peak_memory_bytes();

/// Resets the peak to the present use if the system allows it (Linux does).
void forget_peak_memory();

}  // namespace tidewise

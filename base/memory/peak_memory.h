#pragma once

#include <cstdint>

namespace tidewise {

/// The most memory this process has held at once so far: its greatest resident set [bytes].
std::int64_t peak_memory_bytes();

/// Counts that peak anew from what is held now, where the system lets (Linux does); else it goes
/// on.
void forget_peak_memory();

}  // namespace tidewise

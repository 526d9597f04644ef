#pragma once

#include <cstddef>

namespace tidewise::gyre {

/// Approximate number of fused multiply-adds that one thread does before another has woken up.
/// Smaller work is not shared between threads. This matters on busy machines, where all threads
/// wait for the last one to be scheduled.
inline constexpr std::size_t small_work = 1'000'000;

}  // namespace tidewise::gyre

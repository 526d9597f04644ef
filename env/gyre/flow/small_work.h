#pragma once

#include <cstddef>

namespace tidewise::gyre {

/// Fused multiply-adds, about, that one thread has done before another has woken up: less is not
/// shared. It matters where others use the cores too, and each waits for the last to be let on.
inline constexpr std::size_t small_work = 1'000'000;

}  // namespace tidewise::gyre

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.h"

namespace tidewise {

/// A method of solving from an explicit model. The first three take a stored model in device
/// memory, and all but `sparse` give the same bits as the CPU. The others build P and R by the
/// published method (solver/published).
enum class ExplicitMethod : std::uint8_t {
  padded,     ///< a warp a cell, W in shared memory
  look_up,    ///< a thread a row, each W by the rule itself, then the best action
  sparse,     ///< cuSPARSE: P·v(k+1), immediate rewards apart: equal to rounding, not to the bit
  published,  ///< P and R in the memory of what computes
  published_host  ///< P and R moved to the host, as published
};

template <>
inline constexpr std::array<std::string_view, 5> words_of<ExplicitMethod>{
    "padded", "look-up", "cuSPARSE", "published", "published-host"};

constexpr bool is_published(ExplicitMethod method) {
  return method == ExplicitMethod::published || method == ExplicitMethod::published_host;
}

}  // namespace tidewise

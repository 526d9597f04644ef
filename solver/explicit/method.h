#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.h"

namespace tidewise {

/// How a level is solved from the explicit model in device memory. All but `sparse` give the same
/// bits as the CPU.
enum class ExplicitMethod : std::uint8_t {
  padded,   ///< a warp a cell, W in shared memory
  look_up,  ///< a thread a row, each W by the rule itself, then the best action
  sparse    ///< cuSPARSE: P·v(k+1), immediate rewards apart: equal to rounding, not to the bit
};

template <>
inline constexpr std::array<std::string_view, 3> words_of<ExplicitMethod>{"padded", "look-up",
                                                                          "cuSPARSE"};

}  // namespace tidewise

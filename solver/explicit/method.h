#pragma once

#include <cstdint>
#include <string_view>

namespace tidewise {

/// How a level is solved from the explicit model in device memory. All but `sparse` give the same
/// bits as the CPU.
enum class ExplicitMethod : std::uint8_t {
  padded,   ///< a warp a cell, W in shared memory
  look_up,  ///< a thread a row, each W by the rule itself, then the best action
  sparse    ///< cuSPARSE: P·v(k+1), immediate rewards apart: equal to rounding, not to the bit
};

std::string_view to_string(ExplicitMethod method);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <string_view>

#include "model_builder/packed_level.h"

namespace tidewise {

/// How a level is solved from the explicit model in device memory. All but `sparse` give the same
/// bits as the CPU.
enum class ExplicitMethod : std::uint8_t {
  look_up,  ///< a thread a row, each W by the rule itself; then the best action. Needs nothing
  rows,     ///< a warp a cell, W in shared memory, each lane reads its own row (BlockOrder::by_row)
  staged,   ///< the same, the rows copied to shared memory first (by_row)
  steps,    ///< the same, rows interleaved so that lanes in step read side by side (by_step)
  sparse    ///< cuSPARSE: P·v(k+1), immediate rewards apart: equal to rounding, not to the bit
};

std::string_view to_string(ExplicitMethod method);

/// The order of blocks that a method reads.
BlockOrder block_order(ExplicitMethod method);

}  // namespace tidewise

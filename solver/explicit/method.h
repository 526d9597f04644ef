#pragma once

#include <cstdint>
#include <string_view>

#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// How a level is solved from the explicit model in device memory. All but `sparse` give the same
/// bits as the CPU.
enum class ExplicitMethod : std::uint8_t {
  padded,   ///< a warp a cell, W in shared memory, EntryOrder::padded
  steps,    ///< the same in EntryOrder::by_step
  staged,   ///< the same in EntryOrder::by_row, rows copied to shared memory first
  look_up,  ///< a thread a row, each W by the rule itself, then the best action; any order
  sparse    ///< cuSPARSE: P·v(k+1), immediate rewards apart: equal to rounding, not to the bit
};

std::string_view to_string(ExplicitMethod method);

/// The order of entries that a method wants.
EntryOrder entry_order(ExplicitMethod method);

}  // namespace tidewise

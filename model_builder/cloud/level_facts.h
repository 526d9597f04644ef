#pragma once

#include <cstdint>

namespace tidewise {

/// What a device finds out about a level before it counts. In device memory, set to 0 before.
struct DeviceLevelFacts {
  std::int32_t x_min;  ///< displacements of the flow: as DisplacementRange, 0 included
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
  std::int32_t not_finite;    ///< 1: some cell's flow is no finite number
  std::int32_t too_far;       ///< 1: some displacement may reach 1024 cells
  std::int32_t fits;          ///< 1: every bin is sure to fit what the lattice kernel keeps of it
  std::int32_t non_terminal;  ///< cells to decide on
  std::int32_t of_class[4];   ///< cells in each list of DeviceCellLists
  std::int32_t overflow;      ///< 1: some cell's value is too large for float32
};

}  // namespace tidewise

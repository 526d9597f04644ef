#pragma once

#include <cstdint>

namespace tidewise {

/// Properties of a level that a device determines before it counts. In device memory, initially 0.
struct DeviceLevelFacts {
  std::int32_t x_min;  ///< displacements of the flow, as in DisplacementRange, including 0
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
  std::int32_t not_finite;    ///< 1: the flow of a cell is not finite
  std::int32_t too_far;       ///< 1: a displacement may reach 1024 cells
  std::int32_t fits;          ///< 1: every bin fits the bits that the lattice kernel keeps
  std::int32_t non_terminal;  ///< number of cells that need a decision
  std::int32_t of_class[4];   ///< number of cells in each list of DeviceCellLists
  std::int32_t overflow;      ///< 1: the value of a cell is too large for float32
};

}  // namespace tidewise

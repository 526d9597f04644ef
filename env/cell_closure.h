#pragma once

#include <cstdint>
#include <vector>

namespace tidewise {

/// Cells that a mission closes in addition to the environment file's mask, and the levels at which
/// it closes them.
struct CellClosure {
  std::vector<std::int32_t> cells;  ///< j·nx + i in the environment's whole grid
  std::int32_t first_level = 0;     ///< first closed level
  std::int32_t end_level = 0;       ///< one past the last
};

}  // namespace tidewise

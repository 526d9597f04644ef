#pragma once

#include <cstdint>
#include <vector>

namespace tidewise {

/// Cells that are closed on top of what an environment's file says, and when.
struct CellClosure {
  std::vector<std::int32_t> cells;  ///< j·nx + i, of the whole environment
  std::int32_t first_level = 0;
  std::int32_t end_level = 0;  ///< one past the last
};

}  // namespace tidewise

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tidewise {

/// Launch limits of a device.
struct LaunchLimits {
  std::size_t block_threads = 1024;
  std::size_t grid_x = 2147483647;
  std::size_t grid_y = 65535;
  std::size_t grid_z = 65535;
};

/// Threads per block of each kernel of the published algorithm, the fastest according to its
/// authors. K_COMPUTE_MEAN uses those of `reduce`.
struct PaperBlocks {
  std::int32_t transition = 64;
  std::int32_t count = 64;
  std::int32_t reduce = 32;
};

/// Errors: InputError for a block size beyond the limits.
void require_block_size(std::int32_t block_size, const LaunchLimits& limits);

/// Extents of K_TRANSITION's grid along x (`first`) and y (`second`), which span the cells. Block
/// (x, y) serves the cell y · first + x if that is below the number of cells.
struct CellBlocks {
  std::size_t first = 1;
  std::size_t second = 1;
};
/// Finds blocks for this number of cells within the limits.
inline CellBlocks span_cells(std::size_t cells, const LaunchLimits& limits) {
  const std::size_t z = std::max<std::size_t>(1, (cells + limits.grid_y - 1) / limits.grid_y);
  return {std::max<std::size_t>(1, (cells + z - 1) / z), z};
}

/// Number of cells for one pass of the kernels: within the launch limits and, if possible, within
/// `words` of S2_count. At least 1.
inline std::size_t cells_per_batch(std::size_t subgrid_size, std::size_t words,
                                   const LaunchLimits& limits) {
  // K_COUNT's grid has one block per cell along x.
  const std::size_t launched = std::min(limits.grid_x, limits.grid_y * limits.grid_z);
  return std::max<std::size_t>(1, std::min(launched, words / subgrid_size));
}

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "solver/missions/table.h"

namespace tidewise {

// Sources of v(k+1, ·) for a group's backup. Windows of neighbouring cells largely overlap, so the
// landing cells of a tile are copied to shared memory once, for all actions. If they do not fit,
// values are read from global memory.

/// Values of neighbouring members, loaded at once.
template <class T, int Count>
struct alignas(sizeof(T) * Count) LaneOf {
  T of[Count];
};

/// Columns of a tile. A block has one warp for each cell of its tile.
inline constexpr std::int32_t tile_columns = 4;
/// Rows of a tile.
inline constexpr std::int32_t tile_rows = 3;
/// Cells of a tile, each with a warp.
inline constexpr std::int32_t cells_per_tile = tile_columns * tile_rows;

/// Number of tiles of a grid.
TIDEWISE_HOST_DEVICE inline std::int32_t tile_count(const Grid& grid) {
  return (grid.nx + tile_columns - 1) / tile_columns * ((grid.ny + tile_rows - 1) / tile_rows);
}

/// A rectangle of cells of the grid; places go row by row from the south, each row from the west.
struct GridWindow {
  std::int32_t column = 0;  ///< column of the south-western cell
  std::int32_t row = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;

  /// The whole grid.
  TIDEWISE_HOST_DEVICE static GridWindow of(const Grid& grid) { return {0, 0, grid.nx, grid.ny}; }
  /// Number of places.
  TIDEWISE_HOST_DEVICE std::int32_t size() const { return width * height; }
  /// Place of a cell within the window.
  TIDEWISE_HOST_DEVICE std::int32_t place(std::int32_t of_column, std::int32_t of_row) const {
    return (of_row - row) * width + (of_column - column);
  }
};

/// v(k+1, ·) of a lane's members in shared memory, (place, lane).
template <int MembersPerLane>
struct StagedValues {
  static constexpr bool merges = true;  ///< true if the rows of an action group may be merged
  const LaneOf<float, MembersPerLane>* first;  ///< first value of the lane
  /// Values at a place.
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersPerLane> at(std::uint32_t place) const {
    return first[place * lanes_per_warp];
  }
};

/// v(k+1, ·) of a lane's members in global memory, (cell, member); the window is the grid.
template <int MembersPerLane>
struct UnstagedValues {
  static constexpr bool merges = false;
  const char* first;         ///< first value of the lane
  std::uint32_t cell_bytes;  ///< 32 bits, so that a product is one instruction
  /// Values at a place.
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersPerLane> at(std::uint32_t place) const {
    return *reinterpret_cast<const LaneOf<float, MembersPerLane>*>(
        first + static_cast<std::uint64_t>(place) * cell_bytes);
  }
};

}  // namespace tidewise

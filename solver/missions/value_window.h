#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "solver/missions/table.h"

namespace tidewise {

// Where the backup of a group finds v(k+1, ·): windows of neighbouring cells share most of theirs,
// so what a tile of cells lands on is brought into shared memory once, for all their actions. Where
// that is more than there is room for, it is read where it lies.

/// Neighbouring members' numbers, in one load.
template <class T, int Count>
struct alignas(sizeof(T) * Count) LaneOf {
  T of[Count];
};

/// A tile has so many columns and rows, and a warp for each of its cells.
inline constexpr std::int32_t tile_columns = 4;
inline constexpr std::int32_t tile_rows = 3;
inline constexpr std::int32_t cells_a_tile = tile_columns * tile_rows;

TIDEWISE_HOST_DEVICE inline std::int32_t tile_count(const Grid& grid) {
  return (grid.nx + tile_columns - 1) / tile_columns * ((grid.ny + tile_rows - 1) / tile_rows);
}

/// Cells within the grid; its places go row by row from the south, each from the west.
struct GridWindow {
  std::int32_t column = 0;  ///< of the south-western cell
  std::int32_t row = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;

  TIDEWISE_HOST_DEVICE static GridWindow of(const Grid& grid) { return {0, 0, grid.nx, grid.ny}; }
  TIDEWISE_HOST_DEVICE std::int32_t size() const { return width * height; }
  /// Of cells within it.
  TIDEWISE_HOST_DEVICE std::int32_t place(std::int32_t of_column, std::int32_t of_row) const {
    return (of_row - row) * width + (of_column - column);
  }
};

/// v(k+1, ·) of a lane's members in shared memory, (place, lane).
template <int MembersALane>
struct StagedValues {
  static constexpr bool merges = true;       ///< the rows of a fan
  const LaneOf<float, MembersALane>* first;  ///< of the lane
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersALane> at(std::uint32_t place) const {
    return first[place * lanes_a_warp];
  }
};

/// The same where it lies, (cell, member): the window is the grid.
template <int MembersALane>
struct ValuesInPlace {
  static constexpr bool merges = false;
  const char* first;         ///< of the lane
  std::uint32_t cell_bytes;  ///< 32 bits times 32 bits is one instruction
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersALane> at(std::uint32_t place) const {
    return *reinterpret_cast<const LaneOf<float, MembersALane>*>(
        first + static_cast<std::uint64_t>(place) * cell_bytes);
  }
};

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"
#include "model_builder/device/row_block.h"
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

/// The tiles of a level's rows, numbered row by row.
struct RowTiles {
  Grid grid;
  /// LevelRows::cell_start; null at a level without rows.
  const std::uint32_t* cell_start = nullptr;
  const CellStencil* window = nullptr;  ///< LevelRows::window

  static constexpr std::int32_t no_cell = -1;
  /// The n-th cell of a tile, or no_cell beyond the grid.
  TIDEWISE_HOST_DEVICE std::int32_t cell(std::int32_t tile, std::int32_t n) const {
    const std::int32_t tiles = (grid.nx + tile_columns - 1) / tile_columns;
    const std::int32_t column = tile % tiles * tile_columns + n % tile_columns;
    const std::int32_t row = tile / tiles * tile_rows + n / tile_columns;
    return grid.contains(column, row) ? grid.cell(column, row).value : no_cell;
  }
  TIDEWISE_HOST_DEVICE bool has_rows(std::int32_t cell) const {
    return cell_start != nullptr && cell_start[static_cast<std::size_t>(cell)] != no_rows;
  }
  /// The window of the landing cells of a tile; empty without landings.
  template <class Warp>
  TIDEWISE_HOST_DEVICE GridWindow landings(const Warp& warp, std::int32_t tile) const {
    constexpr std::int32_t far = 1 << 30;
    const std::int32_t n = warp.lane() < cells_per_tile ? cell(tile, warp.lane()) : no_cell;
    const bool counted = n != no_cell && has_rows(n);
    const std::int32_t column = counted ? grid.column(CellIndex(n)) : 0;
    const std::int32_t row = counted ? grid.row(CellIndex(n)) : 0;
    const CellStencil of_cell = counted ? window[n] : CellStencil{};
    std::int32_t west = warp.least(counted ? column + of_cell.dx_min : far);
    std::int32_t east = warp.greatest(counted ? column + of_cell.dx_max : -far);
    std::int32_t south = warp.least(counted ? row + of_cell.dy_min : far);
    std::int32_t north = warp.greatest(counted ? row + of_cell.dy_max : -far);
    if (west > east) return {};
    west = west < 0 ? 0 : west;
    south = south < 0 ? 0 : south;
    east = east < grid.nx ? east : grid.nx - 1;
    north = north < grid.ny ? north : grid.ny - 1;
    return {west, south, east - west + 1, north - south + 1};
  }
};

/// A landing of an action group.
struct alignas(8) GroupLanding {
  /// Bits 0–28: place() in the window of values; 29–30: path_end(); 31: opens().
  std::uint32_t bits;
  /// g of the cell at level k plus g of the landing at level k+1, if a member harvests.
  float scalars;

  /// End of the path for all members.
  enum class PathEnd : std::uint32_t { water = 0, obstacle = 1, outside = 2 };
  static constexpr int place_bits = 29;
  static constexpr std::uint32_t opens_row = 1u << 31;

  TIDEWISE_HOST_DEVICE static GroupLanding at(std::int32_t place, PathEnd end, bool opens,
                                              float scalars) {
    return {static_cast<std::uint32_t>(end) << place_bits | (opens ? opens_row : 0) |
                static_cast<std::uint32_t>(place),
            scalars};
  }
  /// True if the landing only adds count · (reward + v) to the current rows.
  TIDEWISE_HOST_DEVICE bool is_plain() const { return bits < 1u << place_bits; }
  /// True if a row of the sub-grid begins, other than the first.
  TIDEWISE_HOST_DEVICE bool opens() const { return (bits & opens_row) != 0; }
  TIDEWISE_HOST_DEVICE PathEnd path_end() const {
    return static_cast<PathEnd>(bits >> place_bits & 3u);
  }
  /// Place in the window of values.
  TIDEWISE_HOST_DEVICE std::uint32_t place() const { return bits & ((1u << place_bits) - 1); }
};
/// Grids must have fewer cells, because a landing's place may be a cell of the grid.
inline constexpr std::int32_t max_group_cells = 1 << GroupLanding::place_bits;

/// v(k+1, ·) of a lane's members in shared memory, (place, lane).
template <int MembersPerLane>
struct StagedValues {
  const LaneOf<float, MembersPerLane>* first;  ///< first value of the lane
  /// Values at a landing. The 32-bit product drops the bits above its place.
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersPerLane> at(GroupLanding to) const {
    constexpr std::uint32_t place_bytes = lanes_per_warp * sizeof *first;
    static_assert(place_bytes % (1u << (32 - GroupLanding::place_bits)) == 0);
    return *reinterpret_cast<const LaneOf<float, MembersPerLane>*>(
        reinterpret_cast<const char*>(first) + to.bits * place_bytes);
  }
};

/// v(k+1, ·) of a lane's members in global memory, (cell, member); the window is the grid.
template <int MembersPerLane>
struct UnstagedValues {
  const char* first;         ///< first value of the lane
  std::uint32_t cell_bytes;  ///< 32 bits, so that a product is one instruction
  /// Values at a landing.
  TIDEWISE_HOST_DEVICE LaneOf<float, MembersPerLane> at(GroupLanding to) const {
    return *reinterpret_cast<const LaneOf<float, MembersPerLane>*>(
        first + static_cast<std::uint64_t>(to.place()) * cell_bytes);
  }
};

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/device/row_block.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/missions/value_window.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

// How a warp brings the rows of a cell, as DeviceRows left them, into the memory that its lanes
// share: a lane takes a row, and what every member's backup would find out for itself (where an
// entry's place lies, whether the way there is barred) is found once.

/// An entry that is ready for use: where it leads and how many realizations take it there.
struct alignas(8) StagedEntry {
  /// The place in the window of values, three bits up. Below: bit 2 where a row of the sub-grid
  /// begins, bits 0 and 1 what all members find there.
  std::uint32_t landing;
  float count;

  enum class Finds : std::uint32_t { water = 0, obstacle = 1, outside = 2 };
  static constexpr std::uint32_t opens_row = 4;

  TIDEWISE_HOST_DEVICE static StagedEntry make(std::int32_t place, Finds finds, bool opens,
                                               std::uint32_t realizations) {
    return {static_cast<std::uint32_t>(place) << 3 | (opens ? opens_row : 0u) |
                static_cast<std::uint32_t>(finds),
            static_cast<float>(realizations)};
  }
  /// Whether it does nothing but add count · (reward + v) to the row at hand.
  TIDEWISE_HOST_DEVICE bool is_plain() const { return (landing & 7u) == 0; }
  TIDEWISE_HOST_DEVICE bool opens() const { return (landing & opens_row) != 0; }
  TIDEWISE_HOST_DEVICE Finds finds() const { return static_cast<Finds>(landing & 3u); }
  TIDEWISE_HOST_DEVICE std::uint32_t place() const { return landing >> 3; }
};
/// Grids of more cells cannot be staged.
inline constexpr std::int32_t most_staged_cells = 1 << 29;

/// Entries in hand at a time: most cells of a forecast have few more for 32 actions.
inline constexpr std::int32_t staged_at_once = 256;

/// The memory that the lanes of a warp share.
struct StagedRows {
  StagedEntry entry[staged_at_once];
  /// g at the cell and level k and at the landing and level k+1 together, where a member harvests.
  float scalars[staged_at_once];
};

/// The line of its window that a walk along a row has come to.
struct WindowLine {
  std::int32_t width;
  std::int32_t line = 0;
  std::int32_t end = width;  ///< the first place of the next line

  /// Goes on to a place; yes where it lies in another line.
  TIDEWISE_HOST_DEVICE bool enter(std::int32_t place) {
    if (place < end) return false;
    for (; place >= end; end += width) ++line;
    return true;
  }
  TIDEWISE_HOST_DEVICE Offset offset(const CellStencil& window, std::int32_t place) const {
    return {window.dx_min + place - line * width, window.dy_min + line};
  }
};

/// A cell whose rows are staged.
struct StagedCell {
  std::int32_t column = 0;
  std::int32_t row = 0;
  CellStencil window;
  GridWindow values;  ///< holds all landings within the grid
  bool plain = true;  ///< no closed cell may lie on any way, and no landing outside the grid
};

/// A lane's row of 32.
template <class Entry>
struct RowStager {
  const RowBlock<Entry>* block;  ///< of the row
  std::int32_t size;             ///< entries of the row
  std::int32_t before;           ///< entries of the rows before it, of the 32

  /// Stages what the row has of the entries [first, first + staged_at_once) of all 32.
  /// `scalar_next`: g at k+1, (y, x); nullptr where nobody harvests. `scalar_here`: g at the cell.
  TIDEWISE_HOST_DEVICE void stage(const LandingRule& rule, const StagedCell& cell,
                                  const float* scalar_next, float scalar_here, std::int32_t first,
                                  StagedRows& rows) const {
    std::int32_t next = first < before ? 0 : first - before;
    std::int32_t end = first + staged_at_once - before;
    if (end > size) end = size;
    if (next >= end) return;
    const GridWindow grid = GridWindow::of(rule.grid);
    const Entry* entries = block->entry;  // blocks follow each other without a gap
    WindowLine line{cell.window.width()};
    if (next > 0) line.enter(static_cast<std::int32_t>(row_place(entries[next - 1])));
    Entry to_come = entries[next];
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // registers are short, and this is a small part of the work
#endif
    for (; next < end; ++next) {
      const Entry entry = to_come;
      if (next + 1 < end) to_come = entries[next + 1];
      const auto place = static_cast<std::int32_t>(row_place(entry));
      const bool opens = line.enter(place);
      Offset to = line.offset(cell.window, place);
      auto finds = StagedEntry::Finds::water;
      if (!cell.plain) {
        const StepOutcome outcome = rule(cell.column, cell.row, to, {false, true}).outcome;
        if (outcome == StepOutcome::obstacle) finds = StagedEntry::Finds::obstacle;
        if (outcome == StepOutcome::out_of_domain) finds = StagedEntry::Finds::outside;
        // Something must be there to read.
        if (!rule.grid.contains(cell.column + to.dx, cell.row + to.dy)) to = {0, 0};
      }
      const std::int32_t column = cell.column + to.dx;
      const std::int32_t row = cell.row + to.dy;
      const std::int32_t at = before + next - first;
      rows.entry[at] =
          StagedEntry::make(cell.values.place(column, row), finds, opens, row_count(entry));
      if (scalar_next != nullptr) {
        rows.scalars[at] = scalar_here + scalar_next[grid.place(column, row)];
      }
    }
  }
};

}  // namespace tidewise

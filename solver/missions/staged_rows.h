#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/device/row_block.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

// How a warp brings the rows of a cell, as DeviceRows left them, into the memory that its lanes
// share: a lane takes a row, and what every member's backup would find out for itself (where an
// entry's place lies in the grid, whether the way there is barred) is found once.

/// An entry that is ready for use: where it leads and how many realizations take it there.
struct alignas(8) StagedEntry {
  /// The cell, three bits up. Below: bit 2 where a row of the sub-grid begins, bits 0 and 1 what
  /// all members find there.
  std::uint32_t landing;
  float count;

  enum class Finds : std::uint32_t {
    water = 0,  ///< every member is under way
    looks = 1,  ///< it is to be asked whether the member has arrived, or its time is up
    obstacle = 2,
    meets = 3  ///< it is also to be asked whether the way meets the member's disc, or ends outside
  };
  static constexpr std::uint32_t opens_row = 4;

  TIDEWISE_HOST_DEVICE static StagedEntry make(std::int32_t cell, Finds finds, bool opens,
                                               std::uint32_t realizations) {
    return {static_cast<std::uint32_t>(cell) << 3 | (opens ? opens_row : 0u) |
                static_cast<std::uint32_t>(finds),
            static_cast<float>(realizations)};
  }
  /// Whether it does nothing but add count · (reward + v) to the row at hand.
  TIDEWISE_HOST_DEVICE bool is_plain() const { return (landing & 7u) == 0; }
  TIDEWISE_HOST_DEVICE bool opens() const { return (landing & opens_row) != 0; }
  TIDEWISE_HOST_DEVICE Finds finds() const { return static_cast<Finds>(landing & 3u); }
  TIDEWISE_HOST_DEVICE std::uint32_t cell() const { return landing >> 3; }
};
/// Grids of more cells cannot be staged.
inline constexpr std::int32_t most_staged_cells = 1 << 29;

/// Entries in hand at a time: most cells of a forecast have fewer for 32 actions.
inline constexpr std::int32_t staged_at_once = 256;

/// The memory that the lanes of a warp share.
struct StagedRows {
  StagedEntry entry[staged_at_once];
  /// g at the landing and level k+1, where a member harvests.
  float scalar[staged_at_once];
  /// Of entries that say `meets`: where they lead, which may be outside the grid.
  std::int16_t dx[staged_at_once];
  std::int16_t dy[staged_at_once];
};

/// A lane's walk along its row of 32.
template <class Entry>
struct RowStager {
  const RowBlock<Entry>* block;  ///< of the row
  std::int32_t size;             ///< entries of the row
  std::int32_t before;           ///< entries of the rows before it, of the 32
  std::int32_t next = 0;         ///< entries of the row that are staged
  std::int32_t line = -1;        ///< of the window, of the entry before the next

  /// Stages what the row has of the entries [first, first + staged_at_once) of all 32.
  /// `scalar`: g at k+1, (y, x); nullptr where nobody harvests. `ways`: off_target says that no
  /// member's disc can be met and no landing lies outside.
  TIDEWISE_HOST_DEVICE void stage(const LandingRule& rule, WaysFromCell ways,
                                  const CellStencil& window, std::int32_t cell, const float* scalar,
                                  std::int32_t first, StagedRows& rows) {
    std::int32_t end = first + staged_at_once - before;
    if (end > size) end = size;
    const std::int32_t column = rule.grid.column(CellIndex(cell));
    const std::int32_t row = rule.grid.row(CellIndex(cell));
    const std::int32_t width = window.width();
    const Entry* entries = block->entry;  // blocks follow each other without a gap
    Entry to_come = next < end ? entries[next] : Entry{};
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // registers are short, and this is a small part of the work
#endif
    for (; next < end; ++next) {
      const Entry entry = to_come;
      if (next + 1 < end) to_come = entries[next + 1];
      const auto place = static_cast<std::int32_t>(row_place(entry));
      const std::int32_t of_line = place / width;
      const Offset to{window.dx_min + place - of_line * width, window.dy_min + of_line};
      const StepOutcome outcome = rule(column, row, to, {ways.open, true}).outcome;
      const std::int32_t there = field_cell(rule.grid, column, row, to);
      const std::int32_t at = before + next - first;
      auto finds =
          outcome == StepOutcome::under_way ? StagedEntry::Finds::water : StagedEntry::Finds::looks;
      if (outcome == StepOutcome::obstacle) {
        finds = StagedEntry::Finds::obstacle;
      } else if (!ways.off_target) {
        finds = StagedEntry::Finds::meets;
        rows.dx[at] = static_cast<std::int16_t>(to.dx);
        rows.dy[at] = static_cast<std::int16_t>(to.dy);
      }
      rows.entry[at] =
          StagedEntry::make(there, finds, line >= 0 && line != of_line, row_count(entry));
      if (scalar != nullptr) rows.scalar[at] = scalar[there];
      line = of_line;
    }
  }
};

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/device/row_block.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/missions/value_window.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

// A warp loads the rows of a group of actions (DeviceRows) into memory that its lanes share.
// Neighbouring headings land in nearly the same cells, so their rows are merged: each landing is
// loaded once for all of them. Facts that every member's backup needs (the landing's cell, whether
// the path to it is blocked) are found once per cell. Rows of windows that are too large to merge
// are loaded one after the other.

/// A landing, ready for use.
struct alignas(8) StagedLanding {
  /// Place in the window of values, shifted up by three bits. Bit 2: a row of the sub-grid begins.
  /// Bits 0 and 1: PathEnd.
  std::uint32_t landing;
  /// g of the cell at level k plus g of the landing at level k+1, if a member harvests.
  float scalars;

  /// End of the path for all members.
  enum class PathEnd : std::uint32_t { water = 0, obstacle = 1, outside = 2 };
  static constexpr std::uint32_t opens_row = 4;

  /// True if the landing only adds count · (reward + v) to the current rows.
  TIDEWISE_HOST_DEVICE bool is_plain() const { return (landing & 7u) == 0; }
  /// True if a row of the sub-grid begins.
  TIDEWISE_HOST_DEVICE bool opens() const { return (landing & opens_row) != 0; }
  /// End of the path for all members.
  TIDEWISE_HOST_DEVICE PathEnd path_end() const { return static_cast<PathEnd>(landing & 3u); }
  /// Place in the window of values.
  TIDEWISE_HOST_DEVICE std::uint32_t place() const { return landing >> 3; }
};
/// Maximum number of cells of a grid that can be staged.
inline constexpr std::int32_t max_staged_cells = 1 << 29;

/// Number of landings staged at a time; windows with at most as many places are merged.
inline constexpr std::int32_t staged_at_once = 64;

/// Memory that the lanes of a warp share.
struct StagedActionGroup {
  LaneOf<float, max_actions_per_group> count[staged_at_once];  ///< realizations of each action
  StagedLanding landing[staged_at_once];
  StagedLanding at_place[staged_at_once];    ///< landings of the window, if rows are merged
  std::uint32_t line_start[staged_at_once];  ///< the first place in the place's line
};

/// The current line of a window in a walk along a row.
struct WindowLine {
  std::int32_t width;
  std::int32_t line = 0;
  std::int32_t end = width;  ///< the first place of the next line

  /// Moves to a place. Returns true if it lies in another line.
  TIDEWISE_HOST_DEVICE bool enter(std::int32_t place) {
    if (place < end) return false;
    for (; place >= end; end += width) ++line;
    return true;
  }
  /// Offset of a place in the current line.
  TIDEWISE_HOST_DEVICE Offset offset(const CellStencil& window, std::int32_t place) const {
    return {window.dx_min + place - line * width, window.dy_min + line};
  }
};

/// A cell whose rows are staged.
struct StagedCell {
  std::int32_t column = 0;
  std::int32_t row = 0;
  CellStencil window;
  GridWindow values;  ///< contains all landings within the grid
  bool plain = true;  ///< no closed cell lies on any path, and no landing is outside the grid
};

/// The rows of a group of actions.
template <class Entry>
struct ActionGroupRows {
  const RowBlock<Entry>* block;              ///< block of the first row
  std::int32_t size[max_actions_per_group];  ///< number of entries

  /// Number of entries of all rows.
  TIDEWISE_HOST_DEVICE std::int32_t entries() const {
    std::int32_t sum = 0;
    for (int r = 0; r < max_actions_per_group; ++r) sum += size[r];
    return sum;
  }
  /// Number of blocks of all rows.
  TIDEWISE_HOST_DEVICE std::int32_t blocks() const {
    std::int32_t sum = 0;
    for (int r = 0; r < max_actions_per_group; ++r) sum += blocks_of(size[r]);
    return sum;
  }
  /// Entries of row r. Blocks follow each other without gaps.
  TIDEWISE_HOST_DEVICE const Entry* row(std::int32_t r) const {
    std::int32_t before = 0;
    for (int q = 0; q < max_actions_per_group; ++q) before += q < r ? blocks_of(size[q]) : 0;
    return block[before].entry;
  }
};

/// A set of places of a window.
struct PlaceSet {
  std::uint32_t low = 0;   ///< places 0 … 31
  std::uint32_t high = 0;  ///< places 32 … 63

  /// Adds a place.
  TIDEWISE_HOST_DEVICE void add(std::uint32_t place) {
    const std::uint32_t bit = 1u << place % 32;
    low |= place < 32 ? bit : 0;
    high |= place < 32 ? 0 : bit;
  }
  /// True if the set contains the place.
  TIDEWISE_HOST_DEVICE bool holds(std::uint32_t place) const {
    return ((place < 32 ? low : high) >> place % 32 & 1u) != 0;
  }
  /// Number of places in the set before this place.
  template <class Warp>
  TIDEWISE_HOST_DEVICE std::int32_t before(const Warp& warp, std::uint32_t place) const {
    const std::uint32_t below = (1u << place % 32) - 1;
    return place < 32 ? warp.count(low & below) : warp.count(low) + warp.count(high & below);
  }
};

/// Stages all landings of the rows, merged, and returns their number. `places`: number of places of
/// the window, which CellStager has staged.
template <class Warp, class Entry>
TIDEWISE_HOST_DEVICE std::int32_t merge(const Warp& warp, const ActionGroupRows<Entry>& rows,
                                        std::int32_t places, StagedActionGroup& staged) {
  constexpr std::int32_t lanes_per_row = lanes_per_warp / max_actions_per_group;
  const std::int32_t r = warp.lane() / lanes_per_row;
  std::int32_t size = 0;
  for (int q = 0; q < max_actions_per_group; ++q) size = q == r ? rows.size[q] : size;
  const Entry* entries = rows.row(r);
  PlaceSet occupied;
  for (std::int32_t n = warp.lane() % lanes_per_row; n < size; n += lanes_per_row) {
    occupied.add(row_place(entries[n]));
  }
  occupied = {warp.united(occupied.low), warp.united(occupied.high)};
  for (std::int32_t n = warp.lane(); n < places; n += lanes_per_warp) {
    const auto place = static_cast<std::uint32_t>(n);
    if (!occupied.holds(place)) continue;
    const std::int32_t at = occupied.before(warp, place);
    const bool opens = at == occupied.before(warp, staged.line_start[n]);  // the first occupied
                                                                           // place of its line
    StagedLanding landing = staged.at_place[n];
    if (opens) landing.landing |= StagedLanding::opens_row;
    staged.landing[at] = landing;
    staged.count[at] = {};
  }
  warp.sync();
  for (std::int32_t n = warp.lane() % lanes_per_row; n < size; n += lanes_per_row) {
    const Entry entry = entries[n];
    staged.count[occupied.before(warp, row_place(entry))].of[r] =
        static_cast<float>(row_count(entry));
  }
  return warp.count(occupied.low) + warp.count(occupied.high);
}

/// Data common to the rows of a cell. `scalar_next`: g at k+1, (y, x); nullptr if no member
/// harvests. `scalar_from`: g of the cell at k.
struct CellStager {
  const LandingRule& rule;
  const StagedCell cell;
  const float* scalar_next;
  float scalar_from;

  /// Stages the places of the window for merge(). Requires a window of at most staged_at_once
  /// places.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void stage_places(const Warp& warp, StagedActionGroup& staged) const {
    const std::int32_t width = cell.window.width();
    for (std::int32_t place = warp.lane(); place < cell.window.size(); place += lanes_per_warp) {
      staged.at_place[place] = landing_at(place, place / width);
      staged.line_start[place] = static_cast<std::uint32_t>(place / width * width);
    }
  }

  /// Stages the entries that follow the first `done`, one row after the other, while there is room,
  /// and returns their number.
  template <class Warp, class Entry>
  TIDEWISE_HOST_DEVICE std::int32_t chain(const Warp& warp, const ActionGroupRows<Entry>& rows,
                                          std::int32_t done, StagedActionGroup& staged) const {
    const std::int32_t remaining = rows.entries() - done;
    const std::int32_t staged_count = remaining < staged_at_once ? remaining : staged_at_once;
    const std::int32_t width = cell.window.width();
    for (std::int32_t at = warp.lane(); at < staged_count; at += lanes_per_warp) {
      std::int32_t r = 0;
      std::int32_t n = done + at;
      for (int q = 0; q + 1 < max_actions_per_group; ++q) {
        if (r == q && n >= rows.size[q]) {
          n -= rows.size[q];
          ++r;
        }
      }
      const Entry* entries = rows.row(r);
      const auto place = static_cast<std::int32_t>(row_place(entries[n]));
      const std::int32_t line = place / width;
      StagedLanding landing = landing_at(place, line);
      if (n == 0 || static_cast<std::int32_t>(row_place(entries[n - 1])) / width != line) {
        landing.landing |= StagedLanding::opens_row;
      }
      staged.landing[at] = landing;
      staged.count[at] = {};
      staged.count[at].of[r] = static_cast<float>(row_count(entries[n]));
    }
    return staged_count;
  }

 private:
  /// Landing at a place without opens_row. `line`: line of the place.
  TIDEWISE_HOST_DEVICE StagedLanding landing_at(std::int32_t place, std::int32_t line) const {
    Offset to{cell.window.dx_min + place - line * cell.window.width(), cell.window.dy_min + line};
    auto path_end = StagedLanding::PathEnd::water;
    if (!cell.plain) {
      const StepOutcome outcome = rule(cell.column, cell.row, to, {false, true}).outcome;
      if (outcome == StepOutcome::obstacle) path_end = StagedLanding::PathEnd::obstacle;
      if (outcome == StepOutcome::out_of_domain) path_end = StagedLanding::PathEnd::outside;
      // The read below needs a cell of the grid.
      if (!rule.grid.contains(cell.column + to.dx, cell.row + to.dy)) to = {0, 0};
    }
    const std::int32_t column = cell.column + to.dx;
    const std::int32_t row = cell.row + to.dy;
    const float scalar_to =
        scalar_next != nullptr ? scalar_next[GridWindow::of(rule.grid).place(column, row)] : 0;
    return {static_cast<std::uint32_t>(cell.values.place(column, row)) << 3 |
                static_cast<std::uint32_t>(path_end),
            scalar_from + scalar_to};
  }
};

}  // namespace tidewise

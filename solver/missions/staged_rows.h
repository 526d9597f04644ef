#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/device/row_block.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/missions/value_window.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

// How a warp brings the rows of a fan of actions, as DeviceRows left them, into the memory that its
// lanes share. Neighbouring headings lead to much the same places, so their rows are merged: what
// is there is fetched once for all of them, and what every member's backup would find out for
// itself (where a place lies, whether the way there is barred) is found once a cell. Rows of
// windows too large for that follow each other.

/// Where entries lead, ready for use.
struct alignas(8) StagedLanding {
  /// The place in the window of values, three bits up. Below: bit 2 where a row of the sub-grid
  /// begins, bits 0 and 1 what all members find there.
  std::uint32_t landing;
  /// g at the cell and level k and here at level k+1 together, where a member harvests.
  float scalars;

  enum class Finds : std::uint32_t { water = 0, obstacle = 1, outside = 2 };
  static constexpr std::uint32_t opens_row = 4;

  /// Whether it does nothing but add count · (reward + v) to the rows at hand.
  TIDEWISE_HOST_DEVICE bool is_plain() const { return (landing & 7u) == 0; }
  TIDEWISE_HOST_DEVICE bool opens() const { return (landing & opens_row) != 0; }
  TIDEWISE_HOST_DEVICE Finds finds() const { return static_cast<Finds>(landing & 3u); }
  TIDEWISE_HOST_DEVICE std::uint32_t place() const { return landing >> 3; }
};
/// Grids of more cells cannot be staged.
inline constexpr std::int32_t most_staged_cells = 1 << 29;

/// Landings in hand at a time, and places of a window whose rows are merged.
inline constexpr std::int32_t staged_at_once = 64;

/// The memory that the lanes of a warp share.
struct StagedFan {
  LaneOf<float, most_actions_a_fan> count[staged_at_once];  ///< realizations of each action's
  StagedLanding landing[staged_at_once];
  StagedLanding at_place[staged_at_once];    ///< of the window, where rows are merged
  std::uint32_t line_start[staged_at_once];  ///< the first place in the place's line
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

/// The rows of a fan.
template <class Entry>
struct FanRows {
  const RowBlock<Entry>* block;           ///< of the first
  std::int32_t size[most_actions_a_fan];  ///< entries

  TIDEWISE_HOST_DEVICE std::int32_t entries() const {
    std::int32_t sum = 0;
    for (int r = 0; r < most_actions_a_fan; ++r) sum += size[r];
    return sum;
  }
  TIDEWISE_HOST_DEVICE std::int32_t blocks() const {
    std::int32_t sum = 0;
    for (int r = 0; r < most_actions_a_fan; ++r) sum += blocks_of(size[r]);
    return sum;
  }
  /// Of row r; blocks follow each other without a gap.
  TIDEWISE_HOST_DEVICE const Entry* row(std::int32_t r) const {
    std::int32_t before = 0;
    for (int q = 0; q < most_actions_a_fan; ++q) before += q < r ? blocks_of(size[q]) : 0;
    return block[before].entry;
  }
};

/// Places of a window.
struct PlaceSet {
  std::uint32_t low = 0;   ///< places 0 … 31
  std::uint32_t high = 0;  ///< and those beyond

  TIDEWISE_HOST_DEVICE void add(std::uint32_t place) {
    const std::uint32_t bit = 1u << place % 32;
    low |= place < 32 ? bit : 0;
    high |= place < 32 ? 0 : bit;
  }
  TIDEWISE_HOST_DEVICE bool holds(std::uint32_t place) const {
    return ((place < 32 ? low : high) >> place % 32 & 1u) != 0;
  }
  /// How many lie before the place.
  template <class Warp>
  TIDEWISE_HOST_DEVICE std::int32_t before(const Warp& warp, std::uint32_t place) const {
    const std::uint32_t below = (1u << place % 32) - 1;
    return place < 32 ? warp.count(low & below) : warp.count(low) + warp.count(high & below);
  }
};

/// Stages all landings of the rows, merged, and says how many there are. `places`: of the window;
/// they are staged (CellStager).
template <class Warp, class Entry>
TIDEWISE_HOST_DEVICE std::int32_t merge(const Warp& warp, const FanRows<Entry>& rows,
                                        std::int32_t places, StagedFan& staged) {
  constexpr std::int32_t lanes_a_row = lanes_a_warp / most_actions_a_fan;
  const std::int32_t r = warp.lane() / lanes_a_row;
  std::int32_t size = 0;
  for (int q = 0; q < most_actions_a_fan; ++q) size = q == r ? rows.size[q] : size;
  const Entry* entries = rows.row(r);
  PlaceSet some;
  for (std::int32_t n = warp.lane() % lanes_a_row; n < size; n += lanes_a_row) {
    some.add(row_place(entries[n]));
  }
  some = {warp.united(some.low), warp.united(some.high)};
  for (std::int32_t n = warp.lane(); n < places; n += lanes_a_warp) {
    const auto place = static_cast<std::uint32_t>(n);
    if (!some.holds(place)) continue;
    const std::int32_t at = some.before(warp, place);
    const bool opens = at == some.before(warp, staged.line_start[n]);  // none of its line
    StagedLanding landing = staged.at_place[n];
    if (opens) landing.landing |= StagedLanding::opens_row;
    staged.landing[at] = landing;
    staged.count[at] = {};
  }
  warp.sync();
  for (std::int32_t n = warp.lane() % lanes_a_row; n < size; n += lanes_a_row) {
    const Entry entry = entries[n];
    staged.count[some.before(warp, row_place(entry))].of[r] = static_cast<float>(row_count(entry));
  }
  return warp.count(some.low) + warp.count(some.high);
}

/// What is common to the rows of a cell. `scalar_next`: g at k+1, (y, x); nullptr where nobody
/// harvests. `scalar_here`: g at the cell.
struct CellStager {
  const LandingRule& rule;
  const StagedCell cell;
  const float* scalar_next;
  float scalar_here;

  /// What merging needs. Requires a window of staged_at_once places at most.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void stage_places(const Warp& warp, StagedFan& staged) const {
    const std::int32_t width = cell.window.width();
    for (std::int32_t place = warp.lane(); place < cell.window.size(); place += lanes_a_warp) {
      staged.at_place[place] = landing_at(place, place / width);
      staged.line_start[place] = static_cast<std::uint32_t>(place / width * width);
    }
  }

  /// Stages those entries of the rows, one row after the other, that follow the first `done`, as
  /// many as there is room for, and says how many.
  template <class Warp, class Entry>
  TIDEWISE_HOST_DEVICE std::int32_t chain(const Warp& warp, const FanRows<Entry>& rows,
                                          std::int32_t done, StagedFan& staged) const {
    const std::int32_t left = rows.entries() - done;
    const std::int32_t some = left < staged_at_once ? left : staged_at_once;
    const std::int32_t width = cell.window.width();
    for (std::int32_t at = warp.lane(); at < some; at += lanes_a_warp) {
      std::int32_t r = 0;
      std::int32_t n = done + at;
      for (int q = 0; q + 1 < most_actions_a_fan; ++q) {
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
    return some;
  }

 private:
  /// Without opens_row. line: of the place.
  TIDEWISE_HOST_DEVICE StagedLanding landing_at(std::int32_t place, std::int32_t line) const {
    Offset to{cell.window.dx_min + place - line * cell.window.width(), cell.window.dy_min + line};
    auto finds = StagedLanding::Finds::water;
    if (!cell.plain) {
      const StepOutcome outcome = rule(cell.column, cell.row, to, {false, true}).outcome;
      if (outcome == StepOutcome::obstacle) finds = StagedLanding::Finds::obstacle;
      if (outcome == StepOutcome::out_of_domain) finds = StagedLanding::Finds::outside;
      // Something must be there to read.
      if (!rule.grid.contains(cell.column + to.dx, cell.row + to.dy)) to = {0, 0};
    }
    const std::int32_t column = cell.column + to.dx;
    const std::int32_t row = cell.row + to.dy;
    const float there =
        scalar_next != nullptr ? scalar_next[GridWindow::of(rule.grid).place(column, row)] : 0;
    return {static_cast<std::uint32_t>(cell.values.place(column, row)) << 3 |
                static_cast<std::uint32_t>(finds),
            scalar_here + there};
  }
};

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <cstdint>

#include "model_builder/device/row_block.h"
#include "solver/missions/table.h"
#include "solver/missions/value_window.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

// Rows of a group's level, merged once for all members. Neighbouring headings land in nearly the
// same cells, so each landing is listed once for all actions of an ActionGroup, with the facts that
// every member's backup needs: the place of its value, and whether the path to it is blocked.

/// For each action of a group, the realizations that end in one landing.
using GroupCounts = LaneOf<float, max_actions_per_group>;

/// The landings of a cell and an action group, in the order of places.
struct LandingList {
  std::uint32_t first_block = 0;  ///< index of the first landing, divided by entries_per_block
  std::int32_t count = 0;

  TIDEWISE_HOST_DEVICE std::size_t first() const {
    return static_cast<std::size_t>(first_block) * entries_per_block;
  }
};

/// The merged rows of a level. A list starts at the block of its group's first row, so that it
/// always fits: rows have at least as many entries. Trivially copyable.
struct MergedRows {
  LandingList* list = nullptr;      ///< (cell, action group)
  GroupCounts* counts = nullptr;    ///< (landing)
  GroupLanding* landing = nullptr;  ///< (landing)

  /// Size of counts and landings for each block of rows [B].
  static constexpr std::size_t block_bytes =
      entries_per_block * (sizeof(GroupCounts) + sizeof(GroupLanding));
};

/// Merges the rows of a cell: one warp, with a lane for each row. Trivially copyable.
template <class Entry>
struct RowMerger {
  /// Landing rule that all members share. Its target, which must be set, disc and last step do not
  /// change the result.
  LandingRule rule;
  View<const std::uint8_t> near_masked;   ///< (y, x): 1 where a closed cell may lie on a path
  const float* scalar_now = nullptr;      ///< g at k, (y, x)
  const float* scalar_next = nullptr;     ///< g at k+1; null if no member harvests
  View<const ActionGroup> action_groups;  ///< all actions, in order
  LevelRows<Entry> rows;
  MergedRows merged;  ///< written

  /// Requires rows for the cell. `values`: a window that contains all landings within the grid.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell,
                                       const GridWindow& values) const {
    constexpr std::int32_t groups_at_once = lanes_per_warp / max_actions_per_group;
    const auto groups = static_cast<std::int32_t>(action_groups.size);
    const Cell from = from_cell(cell, values);
    const std::int32_t r = warp.lane() % max_actions_per_group;
    std::uint32_t block = rows.cell_start[cell];
    for (std::int32_t f = warp.lane() / max_actions_per_group; warp.any(f < groups);
         f += groups_at_once) {
      const std::int32_t size = f < groups ? row_size(cell, action_groups[at(f)], r) : 0;
      const std::int32_t before = warp.exclusive_sum(blocks_of(size));
      LandingList list{block + static_cast<std::uint32_t>(warp.from(before, warp.lane() - r))};
      list.count =
          merge(warp, from, block + static_cast<std::uint32_t>(before), size, list.first());
      if (f < groups && r == 0) merged.list[at(cell) * at(groups) + at(f)] = list;
      block += static_cast<std::uint32_t>(warp.from(before + blocks_of(size), lanes_per_warp - 1));
    }
  }

 private:
  struct Cell {
    std::int32_t column;
    std::int32_t row;
    CellStencil window;
    GridWindow values;
    float scalar;
    bool plain;  ///< no closed cell lies on any path, and no landing is outside the grid
  };

  TIDEWISE_HOST_DEVICE static std::size_t at(std::int32_t n) { return static_cast<std::size_t>(n); }

  TIDEWISE_HOST_DEVICE Cell from_cell(std::int32_t cell, const GridWindow& values) const {
    const Grid& grid = rule.grid;
    Cell from{grid.column(CellIndex(cell)),
              grid.row(CellIndex(cell)),
              rows.window[cell],
              values,
              scalar_next != nullptr ? scalar_now[cell] : 0,
              false};
    from.plain = near_masked[at(cell)] == 0 &&
                 grid.contains(from.column + from.window.dx_min, from.row + from.window.dy_min) &&
                 grid.contains(from.column + from.window.dx_max, from.row + from.window.dy_max);
    return from;
  }

  TIDEWISE_HOST_DEVICE std::int32_t row_size(std::int32_t cell, const ActionGroup& group,
                                             std::int32_t r) const {
    return r < group.count ? rows.row_size[at(cell) * at(rows.action_count) + at(group.first + r)]
                           : 0;
  }

  // Rows of an action group that are merged together. Bit p of `places` stands for place base + p.
  struct NeighbouringRows {
    const Entry* entries[max_actions_per_group];  // (row): the first one not merged before
    std::uint32_t places[max_actions_per_group];  // (row): those of its entries

    // Counts of the landing at one place. `below`: a mask of all bits below that of the place.
    template <class Warp>
    TIDEWISE_HOST_DEVICE GroupCounts counts(const Warp& warp, std::uint32_t below) const {
      GroupCounts counts{};
      for (int q = 0; q < max_actions_per_group; ++q) {
        if ((places[q] & (below + 1)) == 0) continue;
        counts.of[q] = static_cast<float>(row_count(entries[q][warp.count(places[q] & below)]));
      }
      return counts;
    }
  };

  // Merges the rows of an action group, which neighbouring lanes hold, 32 places at a time. Writes
  // landings from `first` on, and returns their number. `block`, `size`: the lane's row; size 0
  // without a row.
  template <class Warp>
  TIDEWISE_HOST_DEVICE std::int32_t merge(const Warp& warp, const Cell& from, std::uint32_t block,
                                          std::int32_t size, std::size_t first) const {
    constexpr std::uint32_t none = 0xffffffffu;
    constexpr std::int32_t places_at_once = 32;
    const std::int32_t r = warp.lane() % max_actions_per_group;
    const Entry* const entries = rows.block[block].entry;
    NeighbouringRows group;
    for (int q = 0; q < max_actions_per_group; ++q) {
      group.entries[q] = rows.block[warp.from(block, warp.lane() - r + q)].entry;
    }
    const auto width = static_cast<std::uint32_t>(from.window.width());
    std::uint32_t last = none;  // place of the last landing
    std::int32_t landings = 0;
    std::int32_t n = 0;
    while (true) {
      const std::uint32_t base = min_of_group(warp, n < size ? row_place(entries[n]) : none);
      if (!warp.any(base != none)) return landings;
      std::uint32_t own = 0;  // see NeighbouringRows::places
      const std::int32_t end = n + places_at_once < size ? n + places_at_once : size;
      for (std::int32_t m = n; m < end; ++m) {
        const std::uint32_t p = row_place(entries[m]) - base;
        own |= p < places_at_once ? 1u << p : 0;
      }
      n += warp.count(own);
      std::uint32_t all = 0;
      for (int q = 0; q < max_actions_per_group; ++q) {
        group.places[q] = warp.from(own, warp.lane() - r + q);
        all |= group.places[q];
      }
      // Neighbouring lanes write neighbouring landings.
      std::uint32_t rest = without_lowest(all, r);
      for (std::int32_t place = landings + r; rest != 0; place += max_actions_per_group) {
        const std::uint32_t below = (rest & (0u - rest)) - 1;
        const std::uint32_t p = base + static_cast<std::uint32_t>(warp.count(below));
        const std::uint32_t line = p / width;
        const std::uint32_t before =
            (all & below) != 0 ? base + static_cast<std::uint32_t>(warp.top(all & below)) : last;
        const Offset to{from.window.dx_min + static_cast<std::int32_t>(p - line * width),
                        from.window.dy_min + static_cast<std::int32_t>(line)};
        const std::size_t landing = first + at(place);
        merged.counts[landing] = group.counts(warp, below);
        merged.landing[landing] = landing_at(from, to, before < line * width);
        rest = without_lowest(rest, max_actions_per_group);
      }
      landings += warp.count(all);
      if (all != 0) last = base + static_cast<std::uint32_t>(warp.top(all));
      for (int q = 0; q < max_actions_per_group; ++q) {
        group.entries[q] += warp.count(group.places[q]);
      }
    }
  }

  // Clears the lowest `count` set bits.
  TIDEWISE_HOST_DEVICE static std::uint32_t without_lowest(std::uint32_t bits, std::int32_t count) {
    for (std::int32_t n = 0; n < count; ++n) bits &= bits - 1;
    return bits;
  }

  template <class Warp>
  TIDEWISE_HOST_DEVICE static std::uint32_t min_of_group(const Warp& warp, std::uint32_t place) {
    for (std::int32_t offset = 1; offset < max_actions_per_group; offset *= 2) {
      const std::uint32_t other = warp.from(place, warp.lane() ^ offset);
      place = other < place ? other : place;
    }
    return place;
  }

  TIDEWISE_HOST_DEVICE GroupLanding landing_at(const Cell& from, Offset to, bool opens) const {
    auto path_end = GroupLanding::PathEnd::water;
    if (!from.plain) {
      const StepOutcome outcome = rule(from.column, from.row, to, {false, true}).outcome;
      if (outcome == StepOutcome::obstacle) path_end = GroupLanding::PathEnd::obstacle;
      if (outcome == StepOutcome::out_of_domain) path_end = GroupLanding::PathEnd::outside;
      // The backup reads a value even for this landing, so its place must be in the grid.
      if (!rule.grid.contains(from.column + to.dx, from.row + to.dy)) to = {0, 0};
    }
    const std::int32_t column = from.column + to.dx;
    const std::int32_t row = from.row + to.dy;
    const float scalar_to =
        scalar_next != nullptr ? scalar_next[GridWindow::of(rule.grid).place(column, row)] : 0;
    return GroupLanding::at(from.values.place(column, row), path_end, opens,
                            from.scalar + scalar_to);
  }
};

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>

#include "solver/backup/expectation.h"
#include "solver/missions/warp_backup.h"
#include "solver/step/landing_value.h"
#include "solver/step/reward.h"

namespace tidewise {

/// The line of the current place of a window, while a row is read in order.
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

/// Backup of one member in a cell from which its target may be reached: one warp, with one row for
/// each lane. Trivially copyable.
template <class Entry>
struct TargetBackup : GroupStep {
  LevelRows<Entry> rows;

  /// `place`: result of place_of() for the cell and the member.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::uint32_t place) const {
    const auto cell = static_cast<std::int32_t>(place / static_cast<std::uint32_t>(group.stride));
    const auto member = static_cast<std::int32_t>(place % static_cast<std::uint32_t>(group.stride));
    const RowBlock<Entry>* block = rows.block + rows.cell_start[cell];
    BestAction lane_best;
    for (std::int32_t first = 0; first < rows.action_count; first += lanes_per_warp) {
      const std::int32_t a = first + warp.lane();
      std::int32_t size = 0;
      if (a < rows.action_count) {
        size = rows.row_size[static_cast<std::size_t>(cell) *
                                 static_cast<std::size_t>(rows.action_count) +
                             static_cast<std::size_t>(a)];
      }
      const std::int32_t before = warp.exclusive_sum(blocks_of(size));
      if (a < rows.action_count) {
        lane_best.consider(expectation(cell, member, a, (block + before)->entry, size), a);
      }
      block += warp.from(before + blocks_of(size), lanes_per_warp - 1);
    }
    const BestAction best = best_of(warp, lane_best);
    if (warp.lane() != 0) return;
    value[place] = best.value;
    action[place] = static_cast<std::int16_t>(best.action);
  }

 private:
  TIDEWISE_HOST_DEVICE float expectation(std::int32_t cell, std::int32_t member, std::int32_t a,
                                         const Entry* entries, std::int32_t size) const {
    const CellStencil window = rows.window[cell];
    WindowLine line{window.width()};
    OrderedSum sum;
    const float part =
        group.action_part[static_cast<std::size_t>(a) * static_cast<std::size_t>(group.stride) +
                          static_cast<std::size_t>(member)];
    for (std::int32_t n = 0; n < size; ++n) {
      const auto place = static_cast<std::int32_t>(row_place(entries[n]));
      if (line.enter(place)) sum.next_row();
      const Offset to = line.offset(window, place);
      sum.add(static_cast<float>(row_count(entries[n])), landing_value_of(cell, to, member, part));
    }
    return sum.sum() * inverse_count;
  }

  TIDEWISE_HOST_DEVICE float landing_value_of(std::int32_t cell, Offset to, std::int32_t member,
                                              float part) const {
    const MemberTerms& terms = group.terms[member];
    const std::int32_t column = landing.grid.column(CellIndex(cell));
    const std::int32_t row = landing.grid.row(CellIndex(cell));
    const std::int32_t to_cell = field_cell(landing.grid, column, row, to);
    const auto reward = [&] {
      return terms.harvest == 0
                 ? part
                 : step_reward(part, terms.harvest, scalar_now[cell], scalar_next[to_cell]);
    };
    return landing_value(end_of(cell, column, row, to, member), group.goal[member].failure,
                         terms.arrival_reward, reward,
                         [&] { return value_next[place_of(to_cell, member)]; });
  }

  TIDEWISE_HOST_DEVICE StepEnd end_of(std::int32_t cell, std::int32_t column, std::int32_t row,
                                      Offset to, std::int32_t member) const {
    const Grid& grid = landing.grid;
    return landing.classify(
        column, row, to, near_masked[static_cast<std::size_t>(cell)] == 0,
        ends_late(member) ? LastStep::yes : LastStep::no,
        [&] { return group.goal[member].disc.entered_at(grid, column, row, to); },
        [&](std::int32_t i, std::int32_t j) {
          const std::uint32_t targets = group.targets(grid.cell(i, j).value, member);
          return (targets >> member % members_per_word & 1u) != 0;
        });
  }
};

}  // namespace tidewise

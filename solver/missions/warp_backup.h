#pragma once

#include <cmath>
#include <cstdint>

#include "solver/backup/best_action.h"
#include "solver/missions/staged_rows.h"
#include "solver/missions/table.h"
#include "solver/missions/value_window.h"
#include "solver/step/boundary.h"

namespace tidewise {

// Bellman's backup of one level for all missions of a group, from one count of its rows. A warp
// takes a cell and has some members in each lane: an entry of a row is read once for all of them,
// and what each needs, v at the landing, lies side by side. What lands near a target is left to
// TargetBackup. Written against a Warp, as solver/explicit/backup.h is, so that tests run it on the
// host.

/// Whether a member of the group harvests.
enum class GroupHarvests { no, yes };

/// Members at cells that TargetBackup is to back up, in any order.
struct NearTargets {
  std::uint32_t* place = nullptr;  ///< (n): place_of() the cell and the member
  std::int32_t* count = nullptr;
};

/// What the backup of a level works with beside the rows; trivially copyable.
struct GroupStep {
  std::int32_t level = 0;  ///< k
  GroupView group;
  /// What is common to all: `target` is where some member's is. It knows no disc and no last step.
  LandingRule landing;
  View<const std::uint8_t> near_masked;  ///< (y, x): a closed cell may lie on the way
  float inverse_count = 1;
  const float* scalar_now = nullptr;   ///< g at k, (y, x)
  const float* scalar_next = nullptr;  ///< g at k+1
  const float* value_next = nullptr;  ///< v(k+1, ·), (cell, member); none at the last level of all
  float* value = nullptr;             ///< (cell, member), written
  std::int16_t* action = nullptr;     ///< (cell, member), written
  NearTargets near_targets;           ///< written; the count is 0 before

  TIDEWISE_HOST_DEVICE std::size_t place_of(std::int32_t cell, std::int32_t member) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(group.stride) +
           static_cast<std::size_t>(member);
  }
  TIDEWISE_HOST_DEVICE bool is_last_step(std::int32_t member) const {
    return level + 1 == group.terms[member].last;
  }
};

/// The same bits for each member as LevelBackup but for those that it puts down in near_targets.
/// Cells that are decided (closed, in the member's target, or the member's time is up) get their
/// boundary value. Undecided cells without rows are left at −infinity. Trivially copyable.
template <class Entry, int MembersALane, GroupHarvests Harvests>
struct WarpGroupBackup : GroupStep {
  static constexpr std::int32_t members_a_lane = MembersALane;
  static constexpr std::int32_t members_a_warp = lanes_a_warp * MembersALane;
  using Staged = StagedValues<MembersALane>;
  using Floats = LaneOf<float, MembersALane>;
  using Actions = LaneOf<std::int16_t, MembersALane>;

  LevelRows<Entry> rows;

  /// The cells that those of a tile land on, or none. Tiles go row by row.
  template <class Warp>
  TIDEWISE_HOST_DEVICE GridWindow landings(const Warp& warp, std::int32_t tile) const {
    constexpr std::int32_t far = 1 << 30;
    const std::int32_t cell = warp.lane() < cells_a_tile ? tile_cell(tile, warp.lane()) : no_cell;
    const bool there = cell != no_cell && has_rows(cell);
    const std::int32_t column = there ? landing.grid.column(CellIndex(cell)) : 0;
    const std::int32_t row = there ? landing.grid.row(CellIndex(cell)) : 0;
    const CellStencil window = there ? rows.window[cell] : CellStencil{};
    std::int32_t west = warp.least(there ? column + window.dx_min : far);
    std::int32_t east = warp.greatest(there ? column + window.dx_max : -far);
    std::int32_t south = warp.least(there ? row + window.dy_min : far);
    std::int32_t north = warp.greatest(there ? row + window.dy_max : -far);
    if (west > east) return {};
    west = west < 0 ? 0 : west;
    south = south < 0 ? 0 : south;
    east = east < landing.grid.nx ? east : landing.grid.nx - 1;
    north = north < landing.grid.ny ? north : landing.grid.ny - 1;
    return {west, south, east - west + 1, north - south + 1};
  }

  /// Brings every `warps`-th place's values to `staged`, (place, lane), from the n-th on.
  TIDEWISE_HOST_DEVICE void stage(const GridWindow& window, std::int32_t first, std::int32_t lane,
                                  std::int32_t n, std::int32_t warps, Floats* staged) const {
    const std::int32_t member = first + lane * MembersALane;
    for (std::int32_t place = n; place < window.size(); place += warps) {
      const std::int32_t line = place / window.width;
      const CellIndex cell =
          landing.grid.cell(window.column + place - line * window.width, window.row + line);
      staged[place * lanes_a_warp + lane] = load(value_next + place_of(cell.value, member));
    }
  }

  static constexpr std::int32_t no_cell = -1;
  /// The n-th cell of a tile, or no_cell beyond the grid.
  TIDEWISE_HOST_DEVICE std::int32_t tile_cell(std::int32_t tile, std::int32_t n) const {
    const std::int32_t tiles = (landing.grid.nx + tile_columns - 1) / tile_columns;
    const std::int32_t column = tile % tiles * tile_columns + n % tile_columns;
    const std::int32_t row = tile / tiles * tile_rows + n / tile_columns;
    return landing.grid.contains(column, row) ? landing.grid.cell(column, row).value : no_cell;
  }
  TIDEWISE_HOST_DEVICE ValuesInPlace<MembersALane> in_place(std::int32_t member) const {
    return {reinterpret_cast<const char*>(value_next + member),
            static_cast<std::uint32_t>(group.stride) * 4U};
  }

  /// For the members [first, first + members_a_warp). `values`: of the lane's members, by places of
  /// `window`. `staged` is shared by the warp's lanes.
  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell, std::int32_t first,
                                       const GridWindow& window, const Values& values,
                                       StagedRows& staged) const {
    const std::int32_t member = first + warp.lane() * MembersALane;
    const bool masked = landing.masked_now[static_cast<std::size_t>(cell)] != 0;
    const std::uint32_t targets = masked ? 0 : group.targets(cell, member) >> bit_of(member);
    BestAction best[MembersALane];
    std::uint32_t non_terminal = 0;  // a bit for each member of the lane
    for (int m = 0; m < MembersALane; ++m) {
      const bool decides =
          is_non_terminal(masked, (targets >> m & 1u) != 0) && level < group.terms[member + m].last;
      non_terminal |= static_cast<std::uint32_t>(decides) << m;
    }
    if (warp.any(non_terminal != 0) && has_rows(cell)) {
      walk(warp, cell, member, window, values, staged, best);
      list(warp, cell, member, non_terminal);
    }
    Floats value_here;
    Actions action_here;
    for (int m = 0; m < MembersALane; ++m) {
      const bool decides = (non_terminal >> m & 1u) != 0;
      value_here.of[m] =
          decides ? best[m].value : at_boundary(member + m, masked, (targets >> m & 1u) != 0, cell);
      action_here.of[m] = static_cast<std::int16_t>(decides ? best[m].action : no_action);
    }
    const std::size_t place = place_of(cell, member);
    *reinterpret_cast<Floats*>(value + place) = value_here;
    *reinterpret_cast<Actions*>(action + place) = action_here;
  }

 private:
  /// Σ n W of the action at hand, for each member of the lane, in the order of expectation.h.
  struct Sums {
    float total[MembersALane];  ///< the sub-grid's rows that are complete
    float row[MembersALane];    ///< the one at hand
  };

  TIDEWISE_HOST_DEVICE static std::int32_t bit_of(std::int32_t member) {
    return member % members_a_word;
  }
  TIDEWISE_HOST_DEVICE static Floats load(const float* numbers) {
    return *reinterpret_cast<const Floats*>(numbers);
  }
  TIDEWISE_HOST_DEVICE bool has_rows(std::int32_t cell) const {
    return value_next != nullptr && rows.cell_start[static_cast<std::size_t>(cell)] != no_rows;
  }

  TIDEWISE_HOST_DEVICE StagedCell staged_cell(std::int32_t cell, const GridWindow& values) const {
    const Grid& grid = landing.grid;
    StagedCell from{grid.column(CellIndex(cell)), grid.row(CellIndex(cell)), rows.window[cell],
                    values};
    from.plain = near_masked[static_cast<std::size_t>(cell)] == 0 &&
                 grid.contains(from.column + from.window.dx_min, from.row + from.window.dy_min) &&
                 grid.contains(from.column + from.window.dx_max, from.row + from.window.dy_max);
    return from;
  }

  TIDEWISE_HOST_DEVICE void stage_rows(const RowStager<Entry>& stager, std::int32_t cell,
                                       const GridWindow& window, std::int32_t first,
                                       StagedRows& staged) const {
    const StagedCell from = staged_cell(cell, window);
    if constexpr (Harvests == GroupHarvests::yes) {
      stager.stage(landing, from, scalar_next, scalar_now[cell], first, staged);
    } else {
      stager.stage(landing, from, nullptr, 0, first, staged);
    }
  }

  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void walk(const Warp& warp, std::int32_t cell, std::int32_t member,
                                 const GridWindow& window, const Values& values, StagedRows& staged,
                                 BestAction (&best)[MembersALane]) const {
    const RowBlock<Entry>* block = rows.block + rows.cell_start[cell];
    const auto stride = static_cast<std::size_t>(group.stride);
    std::uint32_t last_step = 0;  // a bit for each member of the lane
    Floats harvest{};
    for (int m = 0; m < MembersALane; ++m) {
      const MemberTerms& terms = group.terms[member + m];
      if (level + 1 == terms.last) {
        last_step |= 1u << m;
      } else if constexpr (Harvests == GroupHarvests::yes) {
        harvest.of[m] = terms.harvest;
      }
    }
    for (std::int32_t first_action = 0; first_action < rows.action_count;
         first_action += lanes_a_warp) {
      const std::int32_t left_over = rows.action_count - first_action;
      const std::int32_t some = left_over < lanes_a_warp ? left_over : lanes_a_warp;
      std::int32_t size = 0;
      if (warp.lane() < some) {
        size = rows.row_size[static_cast<std::size_t>(cell) *
                                 static_cast<std::size_t>(rows.action_count) +
                             static_cast<std::size_t>(first_action + warp.lane())];
      }
      const std::int32_t blocks_before = warp.exclusive_sum(blocks_of(size));
      const RowStager<Entry> stager{block + blocks_before, size, warp.exclusive_sum(size)};
      block += warp.from(blocks_before + blocks_of(size), lanes_a_warp - 1);
      const std::int32_t entries = warp.from(stager.before + size, lanes_a_warp - 1);
      std::int32_t staged_first = 0;
      std::int32_t staged_end = 0;
      std::int32_t at = 0;  // of the entries of all 32 rows
      for (std::int32_t n = 0; n < some; ++n) {
        const std::int32_t end = at + warp.from(size, n);
        Floats part =
            load(group.action_part + static_cast<std::size_t>(first_action + n) * stride + member);
        for (int m = 0; m < MembersALane; ++m) {  // W is v where time is up: no reward, and v
          if ((last_step >> m & 1u) != 0) part.of[m] = 0;
        }
        Sums sums{};
        while (at < end) {
          if (at == staged_end) {
            warp.sync();  // the entries before have been used
            stage_rows(stager, cell, window, at, staged);
            staged_first = at;
            staged_end = at + staged_at_once < entries ? at + staged_at_once : entries;
            warp.sync();
          }
          const std::int32_t some_end = end < staged_end ? end : staged_end;
          for (std::int32_t e = at - staged_first; e < some_end - staged_first; ++e) {
            const StagedEntry entry = staged.entry[e];
            const Floats v = values.at(entry.place());
            Floats worth = part;
            if constexpr (Harvests == GroupHarvests::yes) {
              const float scalars = staged.scalars[e];
              for (int m = 0; m < MembersALane; ++m) {  // step_reward()
                worth.of[m] = std::fma(harvest.of[m], scalars, part.of[m]);
              }
            }
            for (int m = 0; m < MembersALane; ++m) worth.of[m] += v.of[m];
            if (!entry.is_plain()) begin(entry, member, worth, sums);
            for (int m = 0; m < MembersALane; ++m) {
              sums.row[m] = std::fma(entry.count, worth.of[m], sums.row[m]);
            }
          }
          at = some_end;
        }
        for (int m = 0; m < MembersALane; ++m) {
          best[m].consider((sums.total[m] + sums.row[m]) * inverse_count, first_action + n);
        }
      }
      warp.sync();
    }
  }

  /// An entry that begins a row of the sub-grid, or does not lead through water.
  TIDEWISE_HOST_DEVICE void begin(const StagedEntry& entry, std::int32_t member, Floats& worth,
                                  Sums& sums) const {
    if (entry.opens()) {
      for (int m = 0; m < MembersALane; ++m) {
        sums.total[m] += sums.row[m];
        sums.row[m] = 0;
      }
    }
    if (entry.finds() == StagedEntry::Finds::water) return;
    const bool outside = entry.finds() == StagedEntry::Finds::outside;
    for (int m = 0; m < MembersALane; ++m) {
      const FailurePrices& failure = group.goal[member + m].failure;
      worth.of[m] = outside ? failure.outside : failure.obstacle;
    }
  }

  TIDEWISE_HOST_DEVICE float at_boundary(std::int32_t member, bool masked, bool in_target,
                                         std::int32_t cell) const {
    const MemberGoal& goal = group.goal[member];
    return boundary_worth(landing.grid, goal.disc, goal.failure, masked, in_target, cell);
  }

  /// Puts down those of the lane's members that decide here and whose targets or discs may be met.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void list(const Warp& warp, std::int32_t cell, std::int32_t member,
                                 std::uint32_t non_terminal) const {
    const CellStencil window = rows.window[cell];
    const std::int32_t column = landing.grid.column(CellIndex(cell));
    const std::int32_t row = landing.grid.row(CellIndex(cell));
    std::uint32_t near = 0;  // a bit for each member of the lane
    for (std::int32_t place = warp.lane(); warp.any(place < window.size()); place += lanes_a_warp) {
      const Offset to = window.offset(place);
      const bool some = place < window.size() && landing.in_target(column + to.dx, row + to.dy);
      const std::int32_t there = cell + to.dy * landing.grid.nx + to.dx;
      for (std::uint32_t lanes = warp.ballot(some); lanes != 0; lanes &= lanes - 1) {
        const std::int32_t target = warp.from(there, warp.count((lanes & (0u - lanes)) - 1));
        near |= group.targets(target, member) >> bit_of(member);
      }
    }
    const Offset first = window.offset(0);
    const Offset last = window.offset(window.size() - 1);
    const std::int32_t west_south = first.dx < first.dy ? -first.dx : -first.dy;
    const std::int32_t east_north = last.dx > last.dy ? last.dx : last.dy;
    const std::int32_t farthest = west_south > east_north ? west_south : east_north;
    const bool some_disc = farthest >= group.disc_distance[cell];
    for (int m = 0; m < MembersALane; ++m) {
      bool listed = (near >> m & 1u) != 0;
      if (some_disc && !listed) {
        listed = group.goal[member + m].disc.may_be_met(landing.grid, column, row, first, last);
      }
      listed = listed && (non_terminal >> m & 1u) != 0;
      if (!warp.any(listed)) continue;
      const std::int32_t place = warp.append(listed, near_targets.count);
      if (listed)
        near_targets.place[place] = static_cast<std::uint32_t>(place_of(cell, member + m));
    }
  }
};

}  // namespace tidewise

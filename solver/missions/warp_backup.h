#pragma once

#include <cmath>
#include <cstdint>

#include "solver/backup/best_action.h"
#include "solver/missions/staged_rows.h"
#include "solver/missions/table.h"
#include "solver/step/boundary.h"
#include "solver/step/reward.h"

namespace tidewise {

// Bellman's backup of one level for all missions of a group, from one count of its rows. A warp
// takes a cell and has some members in each lane: an entry of a row is read once for all of them,
// and what each needs, v at the landing, lies side by side. Written against a Warp, as
// solver/explicit/backup.h is, so that tests run it on the host.

/// Whether a member of the group harvests.
enum class GroupHarvests { no, yes };

/// Which cells a backup takes: those from which no way can meet the disc of a member or leave the
/// grid, or the few others. Parted, because what the others need would cost the first registers.
enum class CellsTaken { far_from_discs, near_discs };

/// Neighbouring members' numbers, in one load.
template <class T, int Count>
struct alignas(sizeof(T) * Count) LaneOf {
  T of[Count];
};

/// What the backup of a level works with beside the rows; trivially copyable.
struct GroupStep {
  std::int32_t level = 0;  ///< k
  GroupView group;
  /// What is common to all: `target` is where some member's is, `last_step` is yes where it is some
  /// member's.
  LandingRule landing;
  View<const std::uint8_t> near_masked;  ///< (y, x): a closed cell may lie on the way
  float inverse_count = 1;
  const float* scalar_now = nullptr;   ///< g at k, (y, x)
  const float* scalar_next = nullptr;  ///< g at k+1
  const float* value_next = nullptr;   ///< v(k+1, ·), (cell, member)
  float* value = nullptr;              ///< (cell, member), written
  std::int16_t* action = nullptr;      ///< (cell, member), written
};

/// The same bits for each member as LevelBackup. Cells that are decided (closed, in the member's
/// target, or the member's time is up) get their boundary value. Undecided cells without rows are
/// left at −infinity. Trivially copyable.
template <class Entry, int MembersALane, GroupHarvests Harvests, CellsTaken Taken>
struct WarpGroupBackup : GroupStep {
  static constexpr std::int32_t members_a_warp = lanes_a_warp * MembersALane;
  using Floats = LaneOf<float, MembersALane>;
  using Actions = LaneOf<std::int16_t, MembersALane>;

  LevelRows<Entry> rows;

  /// For the members [first, first + members_a_warp). `staged` is shared by the warp's lanes.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell, std::int32_t first,
                                       StagedRows& staged) const {
    const std::int32_t member = first + warp.lane() * MembersALane;
    const bool masked = landing.masked_now[static_cast<std::size_t>(cell)] != 0;
    const std::uint32_t targets = masked ? 0 : group.targets(cell, member) >> bit_of(member);
    BestAction best[MembersALane];
    bool some_non_terminal = false;
    for (int m = 0; m < MembersALane; ++m) {
      some_non_terminal = some_non_terminal || is_non_terminal(masked, targets, member, m);
    }
    const bool has_rows =
        warp.any(some_non_terminal) && rows.cell_start[static_cast<std::size_t>(cell)] != no_rows;
    const WaysFromCell ways =
        has_rows ? ways_from(cell, rows.window[cell]) : WaysFromCell{true, true};
    if (ways.off_target != (Taken == CellsTaken::far_from_discs)) return;  // a whole warp
    if (has_rows) walk(warp, cell, member, ways, staged, best);
    Floats values;
    Actions actions;
    for (int m = 0; m < MembersALane; ++m) {
      const bool non_terminal = is_non_terminal(masked, targets, member, m);
      values.of[m] = non_terminal ? best[m].value
                                  : at_boundary(member + m, masked, (targets >> m & 1u) != 0, cell);
      actions.of[m] = static_cast<std::int16_t>(non_terminal ? best[m].action : no_action);
    }
    const std::size_t place = place_of(cell, member);
    *reinterpret_cast<Floats*>(value + place) = values;
    *reinterpret_cast<Actions*>(action + place) = actions;
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
  TIDEWISE_HOST_DEVICE std::size_t place_of(std::int32_t cell, std::int32_t member) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(group.stride) +
           static_cast<std::size_t>(member);
  }
  TIDEWISE_HOST_DEVICE bool is_non_terminal(bool masked, std::uint32_t targets, std::int32_t member,
                                            int m) const {
    return tidewise::is_non_terminal(masked, (targets >> m & 1u) != 0) &&
           level < group.terms[member + m].last;
  }
  TIDEWISE_HOST_DEVICE static Floats load(const float* numbers) {
    return *reinterpret_cast<const Floats*>(numbers);
  }

  template <class Warp>
  TIDEWISE_HOST_DEVICE void walk(const Warp& warp, std::int32_t cell, std::int32_t member,
                                 const WaysFromCell& ways, StagedRows& staged,
                                 BestAction (&best)[MembersALane]) const {
    const CellStencil window = rows.window[cell];
    const RowBlock<Entry>* block = rows.block + rows.cell_start[cell];
    const auto stride = static_cast<std::size_t>(group.stride);
    // v(k+1, ·) of the lane's members, cell by cell: 32 bits times 32 bits is one instruction.
    const char* next = reinterpret_cast<const char*>(value_next + member);
    const auto next_bytes = static_cast<std::uint32_t>(group.stride) * 4U;
    float here = 0;
    Floats harvest{};
    if constexpr (Harvests == GroupHarvests::yes) {
      here = scalar_now[cell];
      for (int m = 0; m < MembersALane; ++m) harvest.of[m] = group.terms[member + m].harvest;
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
      RowStager<Entry> stager{block + blocks_before, size, warp.exclusive_sum(size)};
      block += warp.from(blocks_before + blocks_of(size), lanes_a_warp - 1);
      const std::int32_t entries = warp.from(stager.before + size, lanes_a_warp - 1);
      std::int32_t staged_first = 0;
      std::int32_t staged_end = 0;
      std::int32_t at = 0;  // of the entries of all 32 rows
      for (std::int32_t n = 0; n < some; ++n) {
        const std::int32_t end = at + warp.from(size, n);
        const Floats part =
            load(group.action_part + static_cast<std::size_t>(first_action + n) * stride + member);
        Sums sums{};
        while (at < end) {
          if (at == staged_end) {
            warp.sync();  // the entries before have been used
            stager.stage(landing, ways, window, cell,
                         Harvests == GroupHarvests::yes ? scalar_next : nullptr, at, staged);
            staged_first = at;
            staged_end = at + staged_at_once < entries ? at + staged_at_once : entries;
            warp.sync();
          }
          const std::int32_t some_end = end < staged_end ? end : staged_end;
          const StagedEntry* stop = staged.entry + (some_end - staged_first);
          const float* scalar = staged.scalar + (at - staged_first);
          for (const StagedEntry* to = staged.entry + (at - staged_first); to != stop; ++to) {
            const StagedEntry entry = *to;
            const Floats v = load(reinterpret_cast<const float*>(
                next + static_cast<std::uint64_t>(entry.cell()) * next_bytes));
            Floats reward = part;
            if constexpr (Harvests == GroupHarvests::yes) {
              const float there = *scalar++;
              for (int m = 0; m < MembersALane; ++m) {
                if (harvest.of[m] != 0) {
                  reward.of[m] = step_reward(part.of[m], harvest.of[m], here, there);
                }
              }
            }
            if (entry.is_plain()) {
              for (int m = 0; m < MembersALane; ++m) {
                sums.row[m] = std::fma(entry.count, reward.of[m] + v.of[m], sums.row[m]);
              }
            } else {
              const auto n_staged = static_cast<std::int32_t>(to - staged.entry);
              add(cell, entry, {staged.dx[n_staged], staged.dy[n_staged]}, member, reward, v, sums);
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

  TIDEWISE_HOST_DEVICE float at_boundary(std::int32_t member, bool masked, bool in_target,
                                         std::int32_t cell) const {
    const MemberGoal& goal = group.goal[member];
    return boundary_worth(landing.grid, goal.disc, goal.failure, masked, in_target, cell);
  }

  /// What may be said of all ways within the window: whether the disc of some member can be met, or
  /// a landing lies outside the grid.
  TIDEWISE_HOST_DEVICE WaysFromCell ways_from(std::int32_t cell, const CellStencil& window) const {
    const Grid& grid = landing.grid;
    const std::int32_t column = grid.column(CellIndex(cell));
    const std::int32_t row = grid.row(CellIndex(cell));
    const Offset first = window.offset(0);
    const Offset last = window.offset(window.size() - 1);
    const std::int32_t west_south = first.dx < first.dy ? -first.dx : -first.dy;
    const std::int32_t east_north = last.dx > last.dy ? last.dx : last.dy;
    const std::int32_t farthest = west_south > east_north ? west_south : east_north;
    const bool asks = !grid.contains(column + first.dx, row + first.dy) ||
                      !grid.contains(column + last.dx, row + last.dy) ||
                      farthest >= group.disc_distance[cell];
    return {near_masked[static_cast<std::size_t>(cell)] == 0, !asks};
  }

  /// W where it is to be asked whether the way meets the member's disc.
  TIDEWISE_HOST_DEVICE float worth_near_disc(std::int32_t cell, Offset to, std::int32_t member,
                                             bool in_target, float reward, float v) const {
    const Grid& grid = landing.grid;
    const std::int32_t column = grid.column(CellIndex(cell));
    const std::int32_t row = grid.row(CellIndex(cell));
    const MemberGoal& goal = group.goal[member];
    if (goal.disc.may_be_met(grid, column, row, to, to)) {
      const double met = goal.disc.met_at(grid, column, row, to.dx, to.dy);
      if (met <= 1) {
        return std::fma(static_cast<float>(met), reward, group.terms[member].arrival_reward);
      }
    }
    if (!grid.contains(column + to.dx, row + to.dy)) return goal.failure.outside;
    return worth_in_water(member, in_target, reward, v);
  }

  TIDEWISE_HOST_DEVICE float worth_in_water(std::int32_t member, bool in_target, float reward,
                                            float v) const {
    const MemberTerms& terms = group.terms[member];
    if (in_target) return reward + terms.arrival_reward;
    return level + 1 == terms.last ? v : reward + v;
  }

  /// The general case: W by the rules of docs/model.md, 3.1.
  TIDEWISE_HOST_DEVICE void add(std::int32_t cell, const StagedEntry& entry, Offset to,
                                std::int32_t member, const Floats& reward, const Floats& v,
                                Sums& sums) const {
    if (entry.opens()) {
      for (int m = 0; m < MembersALane; ++m) {
        sums.total[m] += sums.row[m];
        sums.row[m] = 0;
      }
    }
    Floats worth;
    for (int m = 0; m < MembersALane; ++m) worth.of[m] = reward.of[m] + v.of[m];
    if (entry.finds() == StagedEntry::Finds::obstacle) {
      for (int m = 0; m < MembersALane; ++m) {
        worth.of[m] = group.goal[member + m].failure.obstacle;
      }
    } else if (entry.finds() != StagedEntry::Finds::water) {
      const auto there = static_cast<std::int32_t>(entry.cell());
      const std::uint32_t targets = group.targets(there, member) >> bit_of(member);
      for (int m = 0; m < MembersALane; ++m) {
        const bool in_target = (targets >> m & 1u) != 0;
        worth.of[m] = Taken == CellsTaken::near_discs
                          ? worth_near_disc(cell, to, member + m, in_target, reward.of[m], v.of[m])
                          : worth_in_water(member + m, in_target, reward.of[m], v.of[m]);
      }
    }
    for (int m = 0; m < MembersALane; ++m) {
      sums.row[m] = std::fma(entry.count, worth.of[m], sums.row[m]);
    }
  }
};

}  // namespace tidewise

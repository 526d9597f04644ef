#pragma once

#include <cmath>
#include <cstdint>

#include "solver/backup/best_action.h"
#include "solver/missions/staged_rows.h"
#include "solver/missions/table.h"
#include "solver/missions/value_window.h"
#include "solver/step/boundary.h"

namespace tidewise {

// Bellman backup of one level for all missions of a group. Transitions are counted once for the
// group. One warp handles a cell, and each lane several members, so that each row entry is read
// once. The values of all members in a landing cell are contiguous. TargetBackup handles members
// and cells near a target. The code uses an abstract Warp like solver/explicit/backup.h, so that
// tests can run it on the host.

/// yes: some member of the group harvests.
enum class GroupHarvests { no, yes };

/// Members and cells that TargetBackup must back up, in any order.
struct NearTargets {
  std::uint32_t* place = nullptr;  ///< (n): place_of() of the cell and the member
  std::int32_t* count = nullptr;
};

/// Inputs and outputs of the backup of a level, without the rows. Trivially copyable.
struct GroupStep {
  std::int32_t level = 0;  ///< k
  GroupView group;
  /// Landing rule that all members share. Its `target` is 1 in any member's target. Its disc and
  /// last step are unset, because they differ by member.
  LandingRule landing;
  View<const std::uint8_t> near_masked;  ///< (y, x): 1 where a closed cell may lie on a path
  float inverse_count = 1;  ///< inverse_count() of the realizations' total weight, row_total()
  const float* scalar_now = nullptr;   ///< scalar field g (docs/model.md, 3.4) at k, (y, x)
  const float* scalar_next = nullptr;  ///< g at k+1
  /// v(k+1, ·), (cell, member); null at the last level of the longest mission.
  const float* value_next = nullptr;
  float* value = nullptr;          ///< (cell, member), written
  std::int16_t* action = nullptr;  ///< (cell, member), written
  NearTargets near_targets;        ///< written; its count must be 0 before

  /// Index into arrays of (cell, member).
  TIDEWISE_HOST_DEVICE std::size_t place_of(std::int32_t cell, std::int32_t member) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(group.stride) +
           static_cast<std::size_t>(member);
  }
  /// True if level k+1 is the member's last one, and a member that has not arrived then is late.
  TIDEWISE_HOST_DEVICE bool ends_late(std::int32_t member) const {
    return level + 1 == group.terms[member].late_at;
  }
};

/// Backs up each member with the same bits as LevelBackup, except for the members and cells that it
/// lists in near_targets. Cells without an action (closed, in the member's target, or with time up)
/// get their boundary value. Other cells without rows keep −infinity. Trivially copyable.
template <class Entry, int MembersPerLane, GroupHarvests Harvests>
struct WarpGroupBackup : GroupStep {
  static constexpr std::int32_t members_per_lane = MembersPerLane;
  static constexpr std::int32_t members_per_warp = lanes_per_warp * MembersPerLane;
  using Staged = StagedValues<MembersPerLane>;
  using Floats = LaneOf<float, MembersPerLane>;
  using Actions = LaneOf<std::int16_t, MembersPerLane>;

  LevelRows<Entry> rows;

  /// Returns the window of the landing cells of a tile; empty without landings. If the window of
  /// one cell is too large to merge, returns a window that is too large to stage. Tiles are
  /// numbered row by row.
  template <class Warp>
  TIDEWISE_HOST_DEVICE GridWindow landings(const Warp& warp, std::int32_t tile) const {
    constexpr std::int32_t far = 1 << 30;
    const std::int32_t cell = warp.lane() < cells_per_tile ? tile_cell(tile, warp.lane()) : no_cell;
    const bool counted = cell != no_cell && has_rows(cell);
    const std::int32_t column = counted ? landing.grid.column(CellIndex(cell)) : 0;
    const std::int32_t row = counted ? landing.grid.row(CellIndex(cell)) : 0;
    const CellStencil window = counted ? rows.window[cell] : CellStencil{};
    std::int32_t west = warp.least(counted ? column + window.dx_min : far);
    std::int32_t east = warp.greatest(counted ? column + window.dx_max : -far);
    std::int32_t south = warp.least(counted ? row + window.dy_min : far);
    std::int32_t north = warp.greatest(counted ? row + window.dy_max : -far);
    if (west > east) return {};
    if (warp.any(window.size() > staged_at_once)) return {0, 0, far, 1};
    west = west < 0 ? 0 : west;
    south = south < 0 ? 0 : south;
    east = east < landing.grid.nx ? east : landing.grid.nx - 1;
    north = north < landing.grid.ny ? north : landing.grid.ny - 1;
    return {west, south, east - west + 1, north - south + 1};
  }

  /// Copies the values at every `warps`-th place of the window, from place n on, to `staged`,
  /// (place, lane). `first`: first member of the warp.
  TIDEWISE_HOST_DEVICE void stage(const GridWindow& window, std::int32_t first, std::int32_t lane,
                                  std::int32_t n, std::int32_t warps, Floats* staged) const {
    const std::int32_t member = first + lane * MembersPerLane;
    for (std::int32_t place = n; place < window.size(); place += warps) {
      const std::int32_t line = place / window.width;
      const CellIndex cell =
          landing.grid.cell(window.column + place - line * window.width, window.row + line);
      staged[place * lanes_per_warp + lane] = load(value_next + place_of(cell.value, member));
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
  /// Access to the values of a lane's members directly in global memory. `member`: first member of
  /// the lane.
  TIDEWISE_HOST_DEVICE UnstagedValues<MembersPerLane> unstaged_values(std::int32_t member) const {
    return {reinterpret_cast<const char*>(value_next + member),
            static_cast<std::uint32_t>(group.stride) * 4U};
  }

  /// Backs up the members [first, first + members_per_warp) in a cell. `values` returns the values
  /// of the lane's members, indexed by place in `window`. The lanes of the warp share `staged`.
  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell, std::int32_t first,
                                       const GridWindow& window, const Values& values,
                                       StagedActionGroup& staged) const {
    const std::int32_t member = first + warp.lane() * MembersPerLane;
    const bool masked = landing.masked_now[static_cast<std::size_t>(cell)] != 0;
    const std::uint32_t targets = masked ? 0 : group.targets(cell, member) >> bit_of(member);
    BestAction best[MembersPerLane];
    std::uint32_t non_terminal = 0;  // one bit for each member of the lane
    for (int m = 0; m < MembersPerLane; ++m) {
      const bool decides =
          is_non_terminal(masked, (targets >> m & 1u) != 0) && level < group.terms[member + m].last;
      non_terminal |= static_cast<std::uint32_t>(decides) << m;
    }
    if (warp.any(non_terminal != 0) && has_rows(cell)) {
      back_up_actions(warp, cell, member, window, values, staged, best);
      list_near_targets(warp, cell, member, non_terminal);
    }
    Floats new_value;
    Actions new_action;
    for (int m = 0; m < MembersPerLane; ++m) {
      const bool decides = (non_terminal >> m & 1u) != 0;
      new_value.of[m] =
          decides ? best[m].value : at_boundary(member + m, masked, (targets >> m & 1u) != 0, cell);
      new_action.of[m] = static_cast<std::int16_t>(decides ? best[m].action : no_action);
    }
    const std::size_t place = place_of(cell, member);
    *reinterpret_cast<Floats*>(value + place) = new_value;
    *reinterpret_cast<Actions*>(action + place) = new_action;
  }

 private:
  // For each action of a group and each member of the lane: the sum over landings of the transition
  // count times (reward + value), in the order of expectation.h, by rows of the sub-grid.
  struct Sums {
    float total[max_actions_per_group][MembersPerLane];  ///< sum of complete sub-grid rows
    float row[max_actions_per_group][MembersPerLane];    ///< sum of the current sub-grid row
  };

  TIDEWISE_HOST_DEVICE static std::int32_t bit_of(std::int32_t member) {
    return member % members_per_word;
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

  TIDEWISE_HOST_DEVICE CellStager stager(std::int32_t cell, const GridWindow& values) const {
    if constexpr (Harvests == GroupHarvests::yes) {
      return {landing, staged_cell(cell, values), scalar_next, scalar_now[cell]};
    } else {
      return {landing, staged_cell(cell, values), nullptr, 0};
    }
  }

  // Number of entries of the lane's row in the f-th action group; 0 after the last.
  TIDEWISE_HOST_DEVICE std::int32_t size_in_group(std::int32_t cell, std::size_t f,
                                                  std::int32_t lane) const {
    if (f >= group.action_groups.size || lane >= group.action_groups[f].count) return 0;
    return rows
        .row_size[static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows.action_count) +
                  static_cast<std::size_t>(group.action_groups[f].first + lane)];
  }

  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void back_up_actions(const Warp& warp, std::int32_t cell,
                                            std::int32_t member, const GridWindow& window,
                                            const Values& values, StagedActionGroup& staged,
                                            BestAction (&best)[MembersPerLane]) const {
    const RowBlock<Entry>* block = rows.block + rows.cell_start[cell];
    std::uint32_t late_members = 0;  // ends_late(): one bit for each member of the lane
    Floats harvest{};
    for (int m = 0; m < MembersPerLane; ++m) {
      const MemberTerms& terms = group.terms[member + m];
      if (level + 1 == terms.late_at) {
        late_members |= 1u << m;
      } else if constexpr (Harvests == GroupHarvests::yes) {
        harvest.of[m] = terms.harvest;
      }
    }
    if constexpr (Values::merges) stager(cell, window).stage_places(warp, staged);
    const std::int32_t places = rows.window[cell].size();
    std::int32_t size = size_in_group(cell, 0, warp.lane());
    for (std::size_t f = 0; f < group.action_groups.size; ++f) {
      const ActionGroup action_group = group.action_groups[f];
      ActionGroupRows<Entry> group_rows;
      group_rows.block = block;
      for (int r = 0; r < max_actions_per_group; ++r) group_rows.size[r] = warp.from(size, r);
      block += group_rows.blocks();
      size = size_in_group(cell, f + 1, warp.lane());  // loaded before it is needed
      Sums sums;
      if constexpr (Values::merges) {
        warp.sync();  // earlier staged data has been used, and the places are complete
        const std::int32_t landing_count = merge(warp, group_rows, places, staged);
        warp.sync();
        sums = {};
        add(staged, landing_count, member, action_rewards(action_group, member, late_members),
            harvest, values, sums);
      } else {
        sums = {};
        const std::int32_t entries = group_rows.entries();
        for (std::int32_t done = 0; done < entries; done += staged_at_once) {
          warp.sync();
          const std::int32_t landing_count =
              stager(cell, window).chain(warp, group_rows, done, staged);
          warp.sync();
          add(staged, landing_count, member, action_rewards(action_group, member, late_members),
              harvest, values, sums);
        }
      }
      for (int r = 0; r < max_actions_per_group; ++r) {
        if (r >= action_group.count) break;
        for (int m = 0; m < MembersPerLane; ++m) {
          best[m].consider((sums.total[r][m] + sums.row[r][m]) * inverse_count,
                           action_group.first + r);
        }
      }
    }
    warp.sync();
  }

  // Part of the reward that depends only on the action. It is equal for all actions of a group.
  TIDEWISE_HOST_DEVICE Floats action_rewards(const ActionGroup& action_group, std::int32_t member,
                                             std::uint32_t late_members) const {
    Floats part =
        load(group.action_part +
             static_cast<std::size_t>(action_group.first) * static_cast<std::size_t>(group.stride) +
             static_cast<std::size_t>(member));
    for (int m = 0; m < MembersPerLane; ++m) {  // a step that ends late has no reward
      if ((late_members >> m & 1u) != 0) part.of[m] = 0;
    }
    return part;
  }

  // Adds the first `landing_count` staged landings.
  template <class Values>
  TIDEWISE_HOST_DEVICE void add(const StagedActionGroup& staged, std::int32_t landing_count,
                                std::int32_t member, const Floats& part, const Floats& harvest,
                                const Values& values, Sums& sums) const {
    for (std::int32_t n = 0; n < landing_count; ++n) {
      const StagedLanding to = staged.landing[n];
      const LaneOf<float, max_actions_per_group> count = staged.count[n];
      const Floats v = values.at(to.place());
      Floats landed;
      for (int m = 0; m < MembersPerLane; ++m) {
        float reward = part.of[m];
        if constexpr (Harvests == GroupHarvests::yes) {  // step_reward()
          reward = std::fma(harvest.of[m], to.scalars, reward);
        }
        landed.of[m] = reward + v.of[m];
      }
      if (!to.is_plain()) prepare_special(to, member, landed, sums);
      for (int r = 0; r < max_actions_per_group; ++r) {
        for (int m = 0; m < MembersPerLane; ++m) {
          sums.row[r][m] = std::fma(count.of[r], landed.of[m], sums.row[r][m]);
        }
      }
    }
  }

  // Prepares the addition of a landing that begins a row of the sub-grid or ends in a failure.
  TIDEWISE_HOST_DEVICE void prepare_special(const StagedLanding& to, std::int32_t member,
                                            Floats& landed, Sums& sums) const {
    if (to.opens()) {
      for (int r = 0; r < max_actions_per_group; ++r) {
        for (int m = 0; m < MembersPerLane; ++m) {
          sums.total[r][m] += sums.row[r][m];
          sums.row[r][m] = 0;
        }
      }
    }
    if (to.path_end() == StagedLanding::PathEnd::water) return;
    const bool outside = to.path_end() == StagedLanding::PathEnd::outside;
    for (int m = 0; m < MembersPerLane; ++m) {
      const FailurePenalties& failure = group.goal[member + m].failure;
      landed.of[m] = outside ? failure.outside : failure.obstacle;
    }
  }

  TIDEWISE_HOST_DEVICE float at_boundary(std::int32_t member, bool masked, bool in_target,
                                         std::int32_t cell) const {
    const MemberGoal& goal = group.goal[member];
    return cell_boundary_value(landing.grid, goal.disc, goal.failure, masked, in_target, cell);
  }

  // Adds the cell and each member of the lane to near_targets if an action of the member is needed
  // there and a path from the cell may reach its target or disc.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void list_near_targets(const Warp& warp, std::int32_t cell,
                                              std::int32_t member,
                                              std::uint32_t non_terminal) const {
    const CellStencil window = rows.window[cell];
    const std::int32_t column = landing.grid.column(CellIndex(cell));
    const std::int32_t row = landing.grid.row(CellIndex(cell));
    std::uint32_t near = 0;  // one bit for each member of the lane
    for (std::int32_t place = warp.lane(); warp.any(place < window.size());
         place += lanes_per_warp) {
      const Offset to = window.offset(place);
      const bool in_some_target =
          place < window.size() && landing.in_target(column + to.dx, row + to.dy);
      const std::int32_t landing_cell = cell + to.dy * landing.grid.nx + to.dx;
      for (std::uint32_t lanes = warp.ballot(in_some_target); lanes != 0; lanes &= lanes - 1) {
        const std::int32_t target = warp.from(landing_cell, warp.count((lanes & (0u - lanes)) - 1));
        near |= group.targets(target, member) >> bit_of(member);
      }
    }
    const Offset first = window.offset(0);
    const Offset last = window.offset(window.size() - 1);
    const std::int32_t west_south = first.dx < first.dy ? -first.dx : -first.dy;
    const std::int32_t east_north = last.dx > last.dy ? last.dx : last.dy;
    const std::int32_t farthest = west_south > east_north ? west_south : east_north;
    const bool disc_in_reach = farthest >= group.disc_distance[cell];
    for (int m = 0; m < MembersPerLane; ++m) {
      bool listed = (near >> m & 1u) != 0;
      if (disc_in_reach && !listed) {
        listed = group.goal[member + m].disc.may_be_entered(landing.grid, column, row, first, last);
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

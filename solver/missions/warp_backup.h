#pragma once

#include <cmath>
#include <cstdint>

#include "solver/backup/best_action.h"
#include "solver/missions/merged_rows.h"
#include "solver/missions/table.h"
#include "solver/missions/value_window.h"
#include "solver/step/boundary.h"

namespace tidewise {

// Bellman backup of one level for all missions of a group. Transitions are counted and merged once
// for the group. One warp handles a cell, and each lane several members, so that each landing is
// read once. The values of all members in a landing cell are contiguous. TargetBackup handles
// members and cells near a target. The code uses an abstract Warp like solver/explicit/backup.h, so
// that tests can run it on the host.

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

/// The merger of the rows of a step. `merged`: its output.
template <class Entry>
RowMerger<Entry> row_merger(const GroupStep& step, GroupHarvests harvests,
                            const LevelRows<Entry>& rows, const MergedRows& merged) {
  RowMerger<Entry> merger;
  merger.rule = step.landing;
  merger.near_masked = step.near_masked;
  if (harvests == GroupHarvests::yes) {
    merger.scalar_now = step.scalar_now;
    merger.scalar_next = step.scalar_next;
  }
  merger.action_groups = step.group.action_groups;
  merger.rows = rows;
  merger.merged = merged;
  return merger;
}

/// Shared memory of a warp.
template <int MembersPerLane>
struct GroupScratch {
  /// An action group and its landings in a cell.
  struct ListedGroup {
    ActionGroup actions{};
    LandingList list;
  };

  ListedGroup listed[lanes_per_warp];  ///< the next groups, one of each lane
  // Landings, one of each lane.
  GroupCounts counts[lanes_per_warp];
  GroupLanding landing[lanes_per_warp];
  // (lane): the best action so far and its value, for each member of the lane. They are here
  // because registers are few, and they are accessed only once for each action group.
  LaneOf<float, MembersPerLane> best_value[lanes_per_warp];
  LaneOf<std::int32_t, MembersPerLane> best_action[lanes_per_warp];
};

/// Backs up each member with the same bits as LevelBackup, except for the members and cells that it
/// lists in near_targets. Cells without an action (closed, in the member's target, or with time up)
/// get their boundary value. Other cells without rows keep −infinity. Trivially copyable.
template <int MembersPerLane, GroupHarvests Harvests>
struct WarpGroupBackup : GroupStep {
  static constexpr std::int32_t members_per_lane = MembersPerLane;
  static constexpr std::int32_t members_per_warp = lanes_per_warp * MembersPerLane;
  using Floats = LaneOf<float, MembersPerLane>;
  using Actions = LaneOf<std::int16_t, MembersPerLane>;
  using Scratch = GroupScratch<MembersPerLane>;

  RowTiles tiles;
  MergedRows merged;

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

  /// Access to the values of a lane's members directly in global memory. `member`: first member of
  /// the lane.
  TIDEWISE_HOST_DEVICE UnstagedValues<MembersPerLane> unstaged_values(std::int32_t member) const {
    return {reinterpret_cast<const char*>(value_next + member),
            static_cast<std::uint32_t>(group.stride) * 4U};
  }

  /// Backs up the members [first, first + members_per_warp) in a cell. `values` returns the values
  /// of the lane's members at a landing. The lanes of the warp share `scratch`.
  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell, std::int32_t first,
                                       const Values& values, Scratch& scratch) const {
    const std::int32_t member = first + warp.lane() * MembersPerLane;
    const bool masked = landing.masked_now[static_cast<std::size_t>(cell)] != 0;
    const std::uint32_t targets = masked ? 0 : group.targets(cell, member) >> bit_of(member);
    std::uint32_t non_terminal = 0;  // one bit for each member of the lane
    for (int m = 0; m < MembersPerLane; ++m) {
      const bool decides =
          is_non_terminal(masked, (targets >> m & 1u) != 0) && level < group.terms[member + m].last;
      non_terminal |= static_cast<std::uint32_t>(decides) << m;
    }
    for (int m = 0; m < MembersPerLane; ++m) {
      scratch.best_value[warp.lane()].of[m] = BestAction{}.value;
      scratch.best_action[warp.lane()].of[m] = BestAction{}.action;
    }
    if (warp.any(non_terminal != 0) && tiles.has_rows(cell)) {
      back_up_actions(warp, cell, member, values, scratch);
      list_near_targets(warp, cell, member, non_terminal);
    }
    Floats new_value = scratch.best_value[warp.lane()];
    const LaneOf<std::int32_t, MembersPerLane> best_action = scratch.best_action[warp.lane()];
    Actions new_action;
    for (int m = 0; m < MembersPerLane; ++m) {
      const bool decides = (non_terminal >> m & 1u) != 0;
      if (!decides) {
        new_value.of[m] = at_boundary(member + m, masked, (targets >> m & 1u) != 0, cell);
      }
      new_action.of[m] = static_cast<std::int16_t>(decides ? best_action.of[m] : no_action);
    }
    const std::size_t place = place_of(cell, member);
    *reinterpret_cast<Floats*>(value + place) = new_value;
    *reinterpret_cast<Actions*>(action + place) = new_action;
  }

 private:
  using ListedGroup = typename Scratch::ListedGroup;

  // For each action of a group and each member of the lane: the sum over landings of the transition
  // count times (reward + value), in the order of expectation.h.
  struct Sums {
    float of_row[max_actions_per_group][MembersPerLane];  // in the current row of the sub-grid
    float of_rows_before[max_actions_per_group][MembersPerLane];
  };

  TIDEWISE_HOST_DEVICE static std::int32_t bit_of(std::int32_t member) {
    return member % members_per_word;
  }
  TIDEWISE_HOST_DEVICE static Floats load(const float* numbers) {
    return *reinterpret_cast<const Floats*>(numbers);
  }

  TIDEWISE_HOST_DEVICE ListedGroup listed(std::int32_t cell, std::size_t f) const {
    const std::size_t groups = group.action_groups.size;
    if (f >= groups) return {};
    return {group.action_groups[f], merged.list[static_cast<std::size_t>(cell) * groups + f]};
  }

  template <class Warp, class Values>
  TIDEWISE_HOST_DEVICE void back_up_actions(const Warp& warp, std::int32_t cell,
                                            std::int32_t member, const Values& values,
                                            Scratch& scratch) const {
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
    for (std::size_t f = 0; f < group.action_groups.size; ++f) {
      const auto lane = static_cast<std::int32_t>(f % lanes_per_warp);
      if (lane == 0) {  // each lane loads one of the next 32
        warp.sync();    // the lists before have been used
        scratch.listed[warp.lane()] = listed(cell, f + static_cast<std::size_t>(warp.lane()));
        warp.sync();
      }
      const ActionGroup actions = scratch.listed[lane].actions;
      const LandingList now = scratch.listed[lane].list;
      const Floats part = action_rewards(actions, member, late_members);
      Sums sums = {};
      for (std::int32_t done = 0; done < now.count;) {
        warp.sync();  // the landings before have been used
        if (done + warp.lane() < now.count) {
          const std::size_t n = now.first() + static_cast<std::size_t>(done + warp.lane());
          scratch.counts[warp.lane()] = merged.counts[n];
          scratch.landing[warp.lane()] = merged.landing[n];
        }
        warp.sync();
        const std::int32_t remaining = now.count - done;
        done += lanes_per_warp;
        add(scratch, remaining < lanes_per_warp ? remaining : lanes_per_warp, member, part, harvest,
            values, sums);
      }
      improve_best(actions, sums, warp.lane(), scratch);
    }
    warp.sync();
  }

  // Replaces the best actions by better ones of a group.
  TIDEWISE_HOST_DEVICE void improve_best(const ActionGroup& actions, const Sums& sums,
                                         std::int32_t lane, Scratch& scratch) const {
    Floats best_value = scratch.best_value[lane];
    LaneOf<std::int32_t, MembersPerLane> best_action = scratch.best_action[lane];
    for (int r = 0; r < max_actions_per_group; ++r) {
      if (r >= actions.count) break;
      for (int m = 0; m < MembersPerLane; ++m) {
        BestAction best{best_value.of[m], best_action.of[m]};
        best.consider((sums.of_rows_before[r][m] + sums.of_row[r][m]) * inverse_count,
                      actions.first + r);
        best_value.of[m] = best.value;
        best_action.of[m] = best.action;
      }
    }
    scratch.best_value[lane] = best_value;
    scratch.best_action[lane] = best_action;
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

  // Adds the first `count` landings of the scratch.
  template <class Values>
  TIDEWISE_HOST_DEVICE void add(const Scratch& scratch, std::int32_t count, std::int32_t member,
                                const Floats& part, const Floats& harvest, const Values& values,
                                Sums& sums) const {
    for (std::int32_t n = 0; n < count; ++n) {
      const GroupLanding to = scratch.landing[n];
      const GroupCounts counts = scratch.counts[n];
      const Floats v = values.at(to);
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
          sums.of_row[r][m] = std::fma(counts.of[r], landed.of[m], sums.of_row[r][m]);
        }
      }
    }
  }

  // Prepares the addition of a landing that begins a row of the sub-grid or ends in a failure.
  TIDEWISE_HOST_DEVICE void prepare_special(const GroupLanding& to, std::int32_t member,
                                            Floats& landed, Sums& sums) const {
    if (to.opens()) {
      for (int r = 0; r < max_actions_per_group; ++r) {
        for (int m = 0; m < MembersPerLane; ++m) {
          sums.of_rows_before[r][m] += sums.of_row[r][m];
          sums.of_row[r][m] = 0;
        }
      }
    }
    if (to.path_end() == GroupLanding::PathEnd::water) return;
    // One offset selects the penalty of all members. For a choice between two values the compiler
    // keeps addresses of both for each member in registers.
    const auto penalty = to.path_end() == GroupLanding::PathEnd::outside
                             ? &FailurePenalties::outside
                             : &FailurePenalties::obstacle;
    const MemberGoal* const goals = group.goal + member;
    for (int m = 0; m < MembersPerLane; ++m) landed.of[m] = goals[m].failure.*penalty;
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
    const CellStencil window = tiles.window[cell];
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

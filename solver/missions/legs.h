#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "solver/legs/legs.h"
#include "solver/missions/group.h"
#include "solver/missions/table.h"

namespace tidewise {

/// Cells in which a leg takes over the next leg's values (docs/model.md, 3.7). Legs are indices
/// into GroupLegs::missions.
struct TakenPlace {
  std::size_t leg;
  std::size_t next;
  const std::vector<std::int32_t>* cells;  ///< ascending
};

/// The legs of a group's missions. Each leg is a mission that solvers treat as a member.
struct GroupLegs {
  /// The members' missions must outlive this object.
  explicit GroupLegs(View<const GroupMember> members) {
    for (std::size_t m = 0; m < members.size; ++m) {
      const Mission& mission = *members[m].mission;
      begin.push_back(missions.size());
      for (std::size_t leg = 0; leg <= mission.via.size(); ++leg) {
        if (leg < mission.via.size()) {
          taken.push_back({missions.size(), missions.size() + 1, &mission.via[leg].cells});
        }
        missions.push_back(&kept.emplace_back(leg_mission(mission, leg)));
        of.push_back({m, leg});
      }
    }
    begin.push_back(missions.size());
    std::reverse(taken.begin(), taken.end());
  }
  GroupLegs(const GroupLegs&) = delete;
  GroupLegs& operator=(const GroupLegs&) = delete;

  /// A leg of a member's mission.
  struct Leg {
    std::size_t member;
    std::size_t leg;
  };
  std::deque<Mission> kept;
  std::vector<const Mission*> missions;
  std::vector<Leg> of;             // (mission): its member and leg
  std::vector<std::size_t> begin;  // (member): index of its first mission, and the end
  std::vector<TakenPlace> taken;   // the last leg of a member first
};

/// A cell of a via point, for the member that takes over (`to`) and for the member whose value and
/// action it takes (`from`). Both are results of GroupStep::place_of().
struct TakenCell {
  std::uint32_t to;
  std::uint32_t from;
};

/// All cells that members take over at a level, in any order: no cell of a member is both written
/// and read. If via points overlap, a leg takes over from the first later leg that takes
/// over nothing in that cell. `taken`: GroupLegs::taken of the missions of `table`.
inline std::vector<TakenCell> taken_cells(const GroupTable& table,
                                          const std::vector<TakenPlace>& taken) {
  std::vector<std::uint32_t> member(static_cast<std::size_t>(table.member_count()));
  for (std::int32_t m = 0; m < table.member_count(); ++m) {
    member[table.place(m)] = static_cast<std::uint32_t>(m);
  }
  const auto place_of = [&](std::int32_t cell, std::size_t leg) {
    return static_cast<std::uint32_t>(cell) * static_cast<std::uint32_t>(table.stride()) +
           member[leg];
  };
  std::vector<TakenCell> result;
  for (std::size_t n = 0; n < taken.size(); ++n) {
    for (const std::int32_t cell : *taken[n].cells) {
      std::size_t from = n;
      while (
          from > 0 && taken[from - 1].leg == taken[from].next &&
          std::binary_search(taken[from - 1].cells->begin(), taken[from - 1].cells->end(), cell)) {
        --from;
      }
      result.push_back({place_of(cell, taken[n].leg), place_of(cell, taken[from].next)});
    }
  }
  return result;
}

/// Takes over the cells of a group at a level, on a GPU. Trivially copyable.
struct TakeOverCells {
  View<const TakenCell> cells;
  std::uint32_t stride = 1;        ///< number of members with padding
  std::uint32_t members = 0;       ///< number of the first members, for which a step begins
  float* value = nullptr;          ///< (cell, member)
  std::int16_t* action = nullptr;  ///< (cell, member)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const TakenCell cell = cells[n];
    if (cell.to % stride >= members) return;
    value[cell.to] = value[cell.from];
    action[cell.to] = action[cell.from];
  }
};

}  // namespace tidewise

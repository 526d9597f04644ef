#pragma once

#include <cmath>
#include <cstdint>

#include "base/atomic_add.h"
#include "base/host_device.h"
#include "solver/missions/table.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Totals of a level for one member.
struct MemberTally {
  std::int32_t decided;   ///< number of cells with an action
  std::int32_t overflow;  ///< 1: some value is not finite
};

/// On a GPU, copies the results of WarpGroupBackup, with members side by side, to one plane for
/// each member, as sinks receive them. A warp copies 32 cells of 32 members. Trivially copyable.
struct MemberPlanes {
  std::int32_t cells = 0;
  std::int32_t stride = 0;
  std::int32_t present = 0;              ///< number of the first members, which get planes
  const float* value = nullptr;          ///< (cell, member)
  const std::int16_t* action = nullptr;  ///< (cell, member)
  float* value_plane = nullptr;          ///< (member, cell), written
  std::int16_t* action_plane = nullptr;  ///< (member, cell), written
  MemberTally* tally = nullptr;          ///< (member), 0 before

  static constexpr std::int32_t side = 32;
  /// Floats in shared memory of a warp. One more column than cells avoids bank conflicts of lanes
  /// that read a column.
  static constexpr std::int32_t scratch_size = side * (side + 1);

  /// first_member: a multiple of 32.
  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t first_cell,
                                       std::int32_t first_member, float* scratch) const {
    transpose(warp, value, value_plane, first_cell, first_member, scratch,
              [&](std::int32_t member, bool in_plane, float v) {
                const bool overflows = warp.any(in_plane && v - v != 0);
                if (overflows && warp.lane() == 0) tally[member].overflow = 1;
              });
    transpose(warp, action, action_plane, first_cell, first_member, scratch,
              [&](std::int32_t member, bool in_plane, std::int16_t a) {
                const std::int32_t decided = warp.count(warp.ballot(in_plane && a != no_action));
                if (decided != 0 && warp.lane() == 0)
                  add_atomically(&tally[member].decided, decided);
              });
  }

 private:
  template <class Warp, class T, class Report>
  TIDEWISE_HOST_DEVICE void transpose(const Warp& warp, const T* from, T* to,
                                      std::int32_t first_cell, std::int32_t first_member,
                                      float* scratch, const Report& report) const {
    auto* tile = reinterpret_cast<T*>(scratch);
    const std::int32_t remaining = cells - first_cell;
    const std::int32_t cell_count = remaining < side ? remaining : side;
    for (std::int32_t c = 0; c < cell_count; ++c) {
      tile[c * (side + 1) + warp.lane()] =
          from[static_cast<std::size_t>(first_cell + c) * static_cast<std::size_t>(stride) +
               static_cast<std::size_t>(first_member + warp.lane())];
    }
    warp.sync();
    const bool in_plane = warp.lane() < cell_count;
    for (std::int32_t m = 0; m < side && first_member + m < present; ++m) {
      const T number = in_plane ? tile[warp.lane() * (side + 1) + m] : T{};
      if (in_plane) {
        to[static_cast<std::size_t>(first_member + m) * static_cast<std::size_t>(cells) +
           static_cast<std::size_t>(first_cell + warp.lane())] = number;
      }
      report(first_member + m, in_plane, number);
    }
    warp.sync();
  }
};

}  // namespace tidewise

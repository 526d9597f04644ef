#pragma once

#include <array>
#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/native_stream.h"
#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_reach.h"

namespace tidewise {

/// Reach over a mission's open cells from which steps stay below 1024 cells.
struct LevelReach {
  std::int32_t x_min;  ///< displacements of the flow, including 0
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
  std::int32_t x_span;  ///< the maximum of x_max − x_min over cells
  std::int32_t y_span;
};

/// Finds the range of each mode's coefficients, NaN if one is not finite. range: (mode).
void find_coefficient_ranges(const LevelView& level, Interval* range, const DeviceStream& stream);

/// Finds cell_reach() of every cell, (y, x), and extends `whole` by the level's reach. target: (y,
/// x).
void find_reach(const LevelView& level, View<const std::uint8_t> target,
                const DisplacementScale& scale, const PositionRule& rule, const Interval* range,
                std::int32_t action_reach, CellReach* cells, LevelReach* whole,
                const DeviceStream& stream);

/// Finds the reach of levels one level ahead, so that the host need not wait for it to plan its
/// work.
class ReachAhead {
 public:
  ReachAhead(const EnvironmentInfo& info, const PositionRule& rule, std::int32_t action_reach)
      : scale_(info.grid, info.time),
        rule_(rule),
        action_reach_(action_reach),
        velocities_(info.velocities),
        range_(static_cast<std::size_t>(info.mode_count)),
        host_whole_(slots_.size()) {
    for (Slot& slot : slots_) {
      slot.cells = DeviceArray<CellReach>(static_cast<std::size_t>(info.grid.cell_count()) *
                                          static_cast<std::size_t>(velocities_));
      slot.whole = DeviceArray<LevelReach>(1);
    }
  }

  /// Starts the computation for a level. `turn`: running number of the level. `target`: (y, x).
  void find(std::size_t turn, const LevelView& level, View<const std::uint8_t> target,
            const DeviceStream& stream) {
    Slot& slot = slots_[turn % slots_.size()];
    find_coefficient_ranges(level, range_.data(), stream);
    set_to_zero(slot.whole.data(), 1, stream);
    for (std::int32_t p = 0; p < velocities_; ++p) {
      find_reach(level.profile(p), target, scale_, rule_, range_.data(), action_reach_,
                 slot.cells.data() + static_cast<std::size_t>(p) * target.size, slot.whole.data(),
                 stream);
    }
    copy_bytes(MemorySpace::pinned, host_whole_.data() + turn % slots_.size(), MemorySpace::device,
               slot.whole.data(), sizeof(LevelReach), stream);
    slot.found.record(stream);
  }
  /// Reach of the level with this number; waits for the result.
  LevelReach whole(std::size_t turn) const {
    slots_[turn % slots_.size()].found.synchronize();
    return host_whole_[turn % slots_.size()];
  }
  /// Reach of each cell of the level with this number, (profile, y, x), in device memory.
  const CellReach* cells(std::size_t turn) const {
    return slots_[turn % slots_.size()].cells.data();
  }

 private:
  struct Slot {
    DeviceArray<CellReach> cells;  // (profile, y, x)
    DeviceArray<LevelReach> whole;
    DeviceEvent found;
  };

  DisplacementScale scale_;
  PositionRule rule_;
  std::int32_t action_reach_;
  std::int32_t velocities_;
  DeviceArray<Interval> range_;  // (mode)
  std::array<Slot, 2> slots_;    // slots of this turn and the next
  PinnedArray<LevelReach> host_whole_;
};

}  // namespace tidewise

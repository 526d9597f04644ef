#pragma once

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/velocity_bound.h"

// For .cu files: what a device does with a level before it counts. All pointers are to device
// memory, all work goes on `stream`.

namespace tidewise {

/// A level's coefficients as integers on the current device.
class DeviceCoefficients {
 public:
  DeviceCoefficients(std::int32_t mode_count, std::int32_t realization_count);

  /// From the level's, on `stream`.
  void make(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
            const DeviceStream& stream);
  /// Of the level that they were made from. `weight`: as DeviceCloud.
  DeviceCloud cloud(View<const std::uint32_t> weight) const;
  View<const ModeScale> mode_scale() const { return mode_scale_.view(); }  ///< (mode)
  /// The range of each mode's, NaN where one is not finite. (mode)
  const Interval* range() const { return range_.data(); }

 private:
  LevelView level_;
  DisplacementScale scale_;
  PositionRule rule_;
  Array<CoefficientLanes, MemorySpace::device> lanes_;  // (tile, group of modes, lane)
  Array<ModeScale, MemorySpace::device> mode_scale_;    // (mode)
  Array<Interval, MemorySpace::device> range_;          // (mode)
};

/// Parts the undecided cells by the histogram that each is expected to need. lists.count is 0
/// before.
void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t most,
                   const DeviceCellLists& lists, const DeviceStream& stream);

/// bound_displacements() over the cells of a list (at most all), into facts->x_min … fits.
/// action_reach: greatest |displacement| of an action, in 2^-20 of a cell.
void bound_level(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
                 const Interval* range, const std::int32_t* cells, const std::int32_t* cell_count,
                 std::int32_t action_reach, DeviceLevelFacts* facts, const DeviceStream& stream);

}  // namespace tidewise

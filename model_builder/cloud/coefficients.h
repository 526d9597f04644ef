#pragma once

#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/step/velocity_bound.h"

namespace tidewise {

/// A level's coefficients as integers, on the current device.
class DeviceCoefficients {
 public:
  DeviceCoefficients(std::int32_t mode_count, std::int32_t realization_count);

  /// Computes the coefficients of a level on `stream`.
  void make(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
            const DeviceStream& stream);
  /// The cloud of the level that make() received. `weight`: as in DeviceCloud.
  DeviceCloud cloud(View<const std::uint32_t> weight) const;
  View<const ModeScale> mode_scale() const { return mode_scale_.view(); }  ///< (mode)
  /// Range of each mode's coefficients, NaN if one is not finite. (mode)
  const Interval* range() const { return range_.data(); }

 private:
  LevelView level_;
  DisplacementScale scale_;
  PositionRule rule_;
  Array<CoefficientLanes, MemorySpace::device> lanes_;  // (tile, group of modes, lane)
  Array<ModeScale, MemorySpace::device> mode_scale_;    // (mode)
  Array<Interval, MemorySpace::device> range_;          // (mode)
};

}  // namespace tidewise

#pragma once

#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/lattice/device.cuh"
#include "model_builder/step/displacement.h"
#include "model_builder/step/velocity_bound.h"

// For .cu files: what a device does with a level before it counts. All pointers are to device
// memory, all work goes on `stream`.

namespace tidewise {

/// Floats that the coefficients of a level take in tiles (model_builder/lattice/device.cuh).
std::size_t tiled_coefficient_size(std::int32_t mode_count, std::int32_t realization_count);

/// Lays a level's coefficients out in tiles, the last realization repeated to their end, and finds
/// the range of each mode's, NaN where one is not finite. tiles: (tile, mode, coefficient_tile),
/// range: (mode).
void tile_coefficients(const LevelView& level, float* tiles, Interval* range,
                       const DeviceStream& stream);

/// Parts the undecided cells by the histogram that each is expected to need. lists.count is 0
/// before.
void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t most,
                   const DeviceCellLists& lists, const DeviceStream& stream);

/// What bounds are held against.
struct BoundLimits {
  std::int32_t action_reach = 0;  ///< greatest |displacement| of an action, in 2^-20 of a cell
  std::int32_t x_bins = 1;        ///< lattice bins per cell; 0: the lattice cannot be used
  std::int32_t y_bins = 1;
};

/// bound_displacements() over the cells of a list (at most all), into facts->x_min … fits.
void bound_level(const LevelView& level, const DisplacementScale& scale, const Interval* range,
                 const std::int32_t* cells, const std::int32_t* cell_count,
                 const BoundLimits& limits, DeviceLevelFacts* facts, const DeviceStream& stream);

}  // namespace tidewise

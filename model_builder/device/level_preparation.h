#pragma once

#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/velocity_bound.h"

// For .cu files: preparation of a level on a device before it is counted. All pointers are to
// device memory, all work is on `stream`.

namespace tidewise {

/// Distributes the cells to lists by the size of histogram that each probably needs. `max`: upper
/// limit of *cell_count. Requires lists.count to be 0.
void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t max,
                   const DeviceCellLists& lists, const DeviceStream& stream);

/// Writes the result of bound_displacements() over the listed cells to facts->x_min … fits.
/// action_reach: greatest |displacement| of an action, in 2^-20 of a cell.
void bound_level(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
                 const Interval* range, const std::int32_t* cells, const std::int32_t* cell_count,
                 std::int32_t action_reach, DeviceLevelFacts* facts, const DeviceStream& stream);

}  // namespace tidewise

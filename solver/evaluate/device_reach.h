#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_reach.h"

// For .cu files: how far the flow of a level reaches, cell by cell and over all. All pointers are
// to device memory, all work goes on `stream`.

namespace tidewise {

/// Over the cells that a mission may sail and whose steps stay under 1024 cells.
struct LevelReach {
  std::int32_t x_min;  ///< displacements of the flow, 0 included
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
  std::int32_t x_span;  ///< the greatest x_max − x_min of one cell
  std::int32_t y_span;
};

/// Range of each mode's coefficients, NaN where one is not finite. range: (mode).
void find_coefficient_ranges(const LevelView& level, Interval* range, const DeviceStream& stream);

/// cell_reach() of every cell, (y, x), and of the level, on top of what `whole` holds. target: (y,
/// x).
void find_reach(const LevelView& level, View<const std::uint8_t> target,
                const DisplacementScale& scale, const PositionRule& rule, const Interval* range,
                std::int32_t action_reach, CellReach* cells, LevelReach* whole,
                const DeviceStream& stream);

}  // namespace tidewise

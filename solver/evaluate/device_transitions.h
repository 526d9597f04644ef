#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/step/cell_reach.h"
#include "solver/step/landing_stencil.h"
#include "solver/step/step_context.h"

// For .cu files: where the policy's action leads from the cells that hold mass. All memory is the
// device's.

namespace tidewise {

/// What is found out on the way. In device memory, set to 0 before.
struct LandingFacts {
  /// Bits of the farthest reach that is not within 1024 cells, of a cell that holds mass; 0: none.
  unsigned long long too_far;
  std::int32_t cells;   ///< that hold mass
  std::int32_t missed;  ///< 1: a landing lay outside its window, which cannot be
};

/// The counting of one batch of cells, [first_cell, first_cell + …). Trivially copyable.
struct LandingWork {
  DeviceCloud cloud;
  View<const std::int16_t> policy;  ///< (y, x)
  View<const ActionEffect> effect;  ///< (action)
  std::int32_t action_reach = 0;
  const CellReach* reach = nullptr;          ///< (y, x)
  const std::int32_t* cells = nullptr;       ///< the batch's cells that hold mass, ascending
  const std::int32_t* cell_count = nullptr;  ///< how many they are
  std::int32_t first_cell = 0;
  std::int32_t window_words = 0;     ///< counters that any cell's window may take
  std::uint32_t* counts = nullptr;   ///< (cell − first_cell, window_words)
  LandingStencil* window = nullptr;  ///< (y, x), of the cells listed
  LandingFacts* facts = nullptr;
};

/// Counts landings of each cell's policy action over all realizations, exactly
/// (docs/model.md, 1.2), in windows that fit them. `most_cells`: of the batch.
void count_transitions(const LandingWork& work, std::int32_t most_cells,
                       std::int32_t multiprocessors, const DeviceStream& stream);

}  // namespace tidewise

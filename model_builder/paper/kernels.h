#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/atomic_add.h"
#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/level_bounds.h"

// What one thread of each kernel of the published algorithm does. The CPU's `paper` engine shares
// the landing.

namespace tidewise {

/// Where one realization carries the vehicle from one cell, the velocity computed anew.
TIDEWISE_HOST_DEVICE inline Offset paper_landing(const LevelView& level, CellIndex index,
                                                 std::size_t realization,
                                                 const DisplacementScale& scale,
                                                 Displacement action) {
  const auto cell = static_cast<std::size_t>(index.value);
  const auto cells = static_cast<std::size_t>(level.grid.cell_count());
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  const float* coefficient = level.coefficient.data + realization;
  const float u = velocity(level.u_mean[cell], level.u_mode.data + cell, cells, coefficient,
                           realizations, level.mode_count);
  const float v = velocity(level.v_mean[cell], level.v_mode.data + cell, cells, coefficient,
                           realizations, level.mode_count);
  return {landing_offset(to_displacement(u, scale.x), action.x),
          landing_offset(to_displacement(v, scale.y), action.y)};
}

/// K_TRANSITION, for one action: the landing of one cell under one realization counted in S2_count;
/// what it is worth added to sum_R. "Place" is a cell's number in the list of cells.
struct PaperTransition {
  LevelView level;
  View<const std::uint32_t> weights;  ///< (realization), or empty where all count for 1
  View<const CellIndex> cells;        ///< (place)
  DisplacementScale scale;
  Displacement action;
  SubGrid subgrid;                    ///< holds every landing
  View<const float> landing_reward;   ///< (place, sub-grid); without it sum_R is left alone
  std::uint32_t* s2_count = nullptr;  ///< (place, sub-grid): a cell's words lie together
  float* sum_r = nullptr;             ///< (place)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place, std::size_t realization) const {
    const Offset landing = paper_landing(level, cells[place], realization, scale, action);
    const std::size_t s2 = place * static_cast<std::size_t>(subgrid.size()) +
                           static_cast<std::size_t>(subgrid.index(landing));
    const std::uint32_t weight = weights.empty() ? 1 : weights[realization];
    add_atomically(s2_count + s2, weight);
    if (!landing_reward.empty()) {
      add_atomically(sum_r + place, static_cast<float>(weight) * landing_reward[s2]);
    }
  }
};

/// K_COMPUTE_MEAN: sum_R becomes the mean over realizations.
struct PaperMean {
  float* sum_r = nullptr;  ///< (place)
  float total = 1;         ///< Nr, or the sum of all weights

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place) const { sum_r[place] /= total; }
};

/// K_REDUCE_TO_COO: the counts of one cell that are not 0, in the order of the sub-grid.
struct PaperReduceToCoo {
  const std::uint32_t* s2_count = nullptr;    ///< (place, sub-grid)
  const std::int32_t* entry_start = nullptr;  ///< (place): where the cell's entries begin
  std::int32_t subgrid_size = 0;
  std::int32_t first_row = 0;      ///< row of place 0
  std::int32_t* row = nullptr;     ///< (entry)
  std::int32_t* offset = nullptr;  ///< (entry): SubGrid::index of the landing
  std::uint32_t* count = nullptr;  ///< (entry)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place) const {
    const std::uint32_t* counts = s2_count + place * static_cast<std::size_t>(subgrid_size);
    std::int32_t entry = entry_start[place];
    for (std::int32_t s2 = 0; s2 < subgrid_size; ++s2) {
      if (counts[s2] == 0) continue;
      row[entry] = first_row + static_cast<std::int32_t>(place);
      offset[entry] = s2;
      count[entry] = counts[s2];
      ++entry;
    }
  }
};

static_assert(std::is_trivially_copyable_v<PaperTransition>);

}  // namespace tidewise

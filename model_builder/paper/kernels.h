#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/atomic_add.h"
#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/realization_bins.h"

// The work of one thread in each kernel of the published algorithm.

namespace tidewise {

/// K_TRANSITION, for one action: computes the landing of one cell under one realization, counts it
/// in S2_count and adds its reward to sum_R. "Place" is a cell's index in the list of cells.
struct PaperTransition {
  LevelView level;
  View<const std::uint32_t> weights;  ///< (realization); empty: all have the weight 1
  View<const CellIndex> cells;        ///< (place)
  DisplacementScale scale;
  PositionRule rule;
  View<const ModeScale> modes;  ///< (mode)
  Displacement action;
  SubGrid subgrid;                    ///< contains every landing
  View<const float> landing_reward;   ///< (place, sub-grid); empty: sum_R is unchanged
  std::uint32_t* s2_count = nullptr;  ///< (place, sub-grid): a cell's words are contiguous
  float* sum_r = nullptr;             ///< (place)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place, std::size_t realization) const {
    const std::uint32_t weight = weights.empty() ? 1 : weights[realization];
    const std::size_t first = place * static_cast<std::size_t>(subgrid.size());
    const StepPosition position =
        realization_position(level, scale, rule, modes.data,
                             static_cast<std::size_t>(cells[place].value), realization, action);
    for_each_share(
        rule, position.x, position.y, [&](std::int32_t dx, std::int32_t dy, std::uint32_t share) {
          const std::size_t s2 = first + static_cast<std::size_t>(subgrid.index({dx, dy}));
          add_atomically(s2_count + s2, weight * share);
          if (!landing_reward.empty()) {
            add_atomically(sum_r + place, static_cast<float>(weight * share) * landing_reward[s2]);
          }
        });
  }
};

/// K_COMPUTE_MEAN: sum_R becomes the mean over realizations.
struct PaperMean {
  float* sum_r = nullptr;  ///< (place)
  float total = 1;         ///< sum of the counts of a row

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place) const { sum_r[place] /= total; }
};

/// K_REDUCE_TO_COO: stores the nonzero counts of one cell, in the order of the sub-grid, by
/// store(entry, place, s2, count); `s2` is SubGrid::index of the landing.
template <class Store>
struct PaperReduceToCoo {
  const std::uint32_t* s2_count = nullptr;    ///< (place, sub-grid)
  const std::int32_t* entry_start = nullptr;  ///< (place): the cell's first entry
  std::int32_t subgrid_size = 0;
  Store store;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place) const {
    const std::uint32_t* counts = s2_count + place * static_cast<std::size_t>(subgrid_size);
    std::int32_t entry = entry_start[place];
    for (std::int32_t s2 = 0; s2 < subgrid_size; ++s2) {
      if (counts[s2] != 0) store(entry++, place, s2, counts[s2]);
    }
  }
};

/// Entries in the format of PaperModel.
struct PaperCoo {
  std::int32_t first_row = 0;      ///< row of place 0
  std::int32_t* row = nullptr;     ///< (entry)
  std::int32_t* offset = nullptr;  ///< (entry)
  std::uint32_t* count = nullptr;  ///< (entry)

  TIDEWISE_HOST_DEVICE void operator()(std::int32_t entry, std::size_t place, std::int32_t s2,
                                       std::uint32_t n) const {
    row[entry] = first_row + static_cast<std::int32_t>(place);
    offset[entry] = s2;
    count[entry] = n;
  }
};

static_assert(std::is_trivially_copyable_v<PaperTransition>);

}  // namespace tidewise

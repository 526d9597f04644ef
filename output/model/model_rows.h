#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/explicit/compact_level.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

/// Mean displacement of the rows of a level [cells], (row).
struct RowMeans {
  std::vector<float> dx;
  std::vector<float> dy;
};

/// The first error of a level's rows in a file, or empty. Each row must have entries of ascending
/// offsets within the sub-grid, with counts that sum to `total`. Fills `means` if there is no
/// error. Requires row_start to be sorted and within the entries.
std::string fault_of_rows(const CompactLevel& level, const SubGrid& subgrid, std::uint32_t total,
                          std::int32_t threads, RowMeans& means);

/// The reason why rows cannot have been counted on the level, or empty. In each realization a
/// vehicle lands where its displacement leads (bilinear weights), or within half a cell of it
/// (nearest cell); this holds on average, too, and the mean displacement is known without counting.
/// `weights` (realization; may be empty).
std::string fault_of_means(const RowMeans& means, const LevelView& level,
                           const DisplacementScale& scale, const PositionRule& rule,
                           View<const std::uint32_t> weights, const std::vector<Action>& actions);

}  // namespace tidewise

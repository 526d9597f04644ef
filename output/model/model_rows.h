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

/// Where the rows of a level lead on average [cells], (row).
struct RowMeans {
  std::vector<float> dx;
  std::vector<float> dy;
};

/// What is wrong with a level's rows as they stand in a file: each must have entries of ascending
/// offsets within the sub-grid, with counts that sum to `total`. Empty if nothing is, and `means`
/// is filled. Requires row_start to be sorted and within the entries.
std::string fault_of_rows(const CompactLevel& level, const SubGrid& subgrid, std::uint32_t total,
                          RowMeans& means);

/// What tells that rows were not counted on the level: in each of its realizations a vehicle lands
/// where its displacement leads, by area, or within half a cell of it, by cell; so it does on
/// average, and the mean displacement takes no counting to know. Empty if they may have been.
/// `weights` (realization; may be empty).
std::string fault_of_means(const RowMeans& means, const LevelView& level,
                           const DisplacementScale& scale, const PositionRule& rule,
                           View<const std::uint32_t> weights, const std::vector<Action>& actions);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/cell_transitions.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

/// The transitions of one action as the published algorithm leaves them on the host: a sparse
/// matrix by coordinates, appended to level after level.
struct PaperModel {
  std::vector<std::int32_t> row;     ///< (entry): place of the cell in the list of cells, ascending
  std::vector<std::int32_t> offset;  ///< (entry): SubGrid::index of the landing, ascending in a row
  std::vector<std::uint32_t> count;  ///< (entry): realizations, weight or shares; never 0
  std::vector<float> mean_reward;    ///< (place), empty where no landing has a reward

  void clear();
};

/// Gives the counts of one level's `model` under `action` to `sink`, a cell after the other, from
/// thread 0. `cells`: (place), those that the model was made of.
void feed_counts(const PaperModel& model, const SubGrid& subgrid, ActionIndex action,
                 View<const CellIndex> cells, CountSink& sink);

}  // namespace tidewise

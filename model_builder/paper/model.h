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
/// matrix in coordinate form, extended level by level.
struct PaperModel {
  std::vector<std::int32_t> row;     ///< (entry): index of the cell in the list of cells, ascending
  std::vector<std::int32_t> offset;  ///< (entry): SubGrid::index of the landing, ascending in a row
  std::vector<std::uint32_t> count;  ///< (entry): realizations, weight or shares; never 0
  std::vector<float> mean_reward;    ///< (place); empty if landings have no reward

  void clear();
};

/// Passes the counts of one level's `model` under `action` to `sink`, cell by cell, from thread 0.
/// `cells`: (place), the list from which the model was made.
void feed_counts(const PaperModel& model, const SubGrid& subgrid, ActionIndex action,
                 View<const CellIndex> cells, CountSink& sink);

}  // namespace tidewise

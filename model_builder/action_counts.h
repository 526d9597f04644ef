#pragma once

#include <cstdint>
#include <vector>

#include "base/view.h"
#include "env/level_fields.h"
#include "model_builder/cell_modes.h"
#include "model_builder/displacement.h"
#include "model_builder/padded_coefficients.h"

namespace tidewise {

/// One successor of (cell, action): n(s, a, Δ) realizations, or their weight of 2^24, land at Δ.
struct Landing {
  Offset to;
  std::uint32_t count = 0;
};

/// Counts for one action of one cell at a time: what following a policy needs. The counting engines
/// (counting_engine.h) do all actions of a cell at once and give the same integers. One a thread.
class ActionCounter {
 public:
  /// `weights`: (realization), or empty where all count for 1.
  ActionCounter(const Grid& grid, const TimeAxis& time, View<const std::uint32_t> weights);

  /// Replaces `landings` with the successors of `cell` whose count is not 0, rows from south to
  /// north, each from west to east. `coefficients` are those of `level`. Requires displacements
  /// under 1024 cells (bound_displacements).
  void count(const LevelView& level, const PaddedCoefficients& coefficients, CellIndex cell,
             Displacement action, std::vector<Landing>& landings);

 private:
  void collect(Displacement action, std::size_t realizations, std::vector<Landing>& landings);

  DisplacementScale scale_;
  View<const std::uint32_t> weights_;
  CellModes modes_;
  Array<std::int32_t> x_;  // (row_length) displacements, then offsets
  Array<std::int32_t> y_;
  std::vector<std::uint32_t> window_;  // two counts over the box of the offsets
};

}  // namespace tidewise

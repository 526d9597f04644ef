#pragma once

#include <cstdint>
#include <vector>

#include "base/view.h"
#include "env/level_fields.h"
#include "model_builder/displacement.h"

namespace tidewise {

/// One successor of (cell, action): n(s, a, Δ) realizations, or their weight of 2^24, land at Δ.
struct Landing {
  Offset to;
  std::uint32_t count = 0;
};

/// Whether a displacement with the action's stays under 1024 cells along each axis.
enum class Reach { allowed, too_far };

/// Counts for one action of one cell at a time: what following a policy needs. The counting engines
/// (counting_engine.h) do all actions of a cell at once and give the same integers.
class ActionCounter {
 public:
  /// `weights`: (realization), or empty where all count for 1.
  ActionCounter(const Grid& grid, const TimeAxis& time, View<const std::uint32_t> weights);

  /// Replaces `landings` with the successors of `cell` whose count is not 0, rows from south to
  /// north, each from west to east. Leaves it empty where the reach is too far.
  Reach count(const LevelView& level, CellIndex cell, Displacement action,
              std::vector<Landing>& landings);

 private:
  Reach find_offsets(const LevelView& level, std::size_t cell, Displacement action);
  void collect(std::vector<Landing>& landings);

  DisplacementScale scale_;
  View<const std::uint32_t> weights_;
  std::vector<float> velocity_;   // (realization), along one axis
  std::vector<std::int32_t> dx_;  // (realization) landing offsets
  std::vector<std::int32_t> dy_;
  std::vector<std::uint32_t> window_;  // counts over the bounding box of the offsets
};

}  // namespace tidewise

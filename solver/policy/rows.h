#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// The counts of a policy's own actions, kept by its plan so that an evaluation need not count
/// again. If memory runs out, the levels farthest from departure are dropped, because little
/// probability is under way there.
class PolicyRows {
 public:
  /// `memory`: the maximum size [B].
  explicit PolicyRows(std::size_t memory) : memory_(memory) {}

  /// Begins a level that `threads` threads count.
  void begin_level(std::int32_t threads);
  /// Keeps the a-th action of `counts` as the best action of a cell so far.
  void keep(std::int32_t thread, CellIndex cell, const CellTransitions& counts, std::int32_t a);
  /// Ends the level, which is level k with the actions `action`, (y, x).
  void end_level(TimeLevel k, View<const std::int16_t> action);

  /// Passes the kept rows of the policy's actions, (y, x), in `cells` to `sink`, from several
  /// threads. Returns the cells without rows, in their order.
  std::vector<CellIndex> give(TimeLevel k, View<const CellIndex> cells,
                              View<const std::int16_t> action, std::int32_t threads,
                              CountSink& sink) const;

 private:
  struct Level {
    std::vector<std::uint32_t> words;  // rows, one after the other
    std::vector<std::uint32_t> begin;  // (cell): start of its row, or no_row
    std::size_t bytes() const { return (words.size() + begin.size()) * sizeof(std::uint32_t); }
  };

  const Level* level(TimeLevel k) const;

  std::size_t memory_;
  std::size_t bytes_ = 0;
  std::vector<Level> levels_;                          // (level)
  std::vector<std::vector<std::uint32_t>> by_thread_;  // (thread): rows of the current level
};

}  // namespace tidewise

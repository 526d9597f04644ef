#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// Where a policy's own actions lead, as its plan counted them, so that who evaluates it need not
/// count again. Where memory does not last, levels far from the departure give way: little is under
/// way there.
class PolicyRows {
 public:
  /// `memory`: the most to keep [B].
  explicit PolicyRows(std::size_t memory) : memory_(memory) {}

  /// A level is counted, by so many threads.
  void begin_level(std::int32_t threads);
  /// The best action of a cell so far: the a-th of `counts`.
  void keep(std::int32_t thread, CellIndex cell, const CellTransitions& counts, std::int32_t a);
  /// The level is k, and these are its actions, (y, x).
  void end_level(TimeLevel k, View<const std::int16_t> action);

  /// Gives `sink` the rows that there are of the actions, (y, x), of those cells, by so many
  /// threads. Returns the other cells, in their order.
  std::vector<CellIndex> give(TimeLevel k, View<const CellIndex> cells,
                              View<const std::int16_t> action, std::int32_t threads,
                              CountSink& sink) const;

 private:
  struct Level {
    std::vector<std::uint32_t> words;  // rows, one after the other
    std::vector<std::uint32_t> begin;  // (cell): where its row begins, or no_row
    std::size_t bytes() const { return (words.size() + begin.size()) * sizeof(std::uint32_t); }
  };

  const Level* level(TimeLevel k) const;

  std::size_t memory_;
  std::size_t bytes_ = 0;
  std::vector<Level> levels_;                          // (level)
  std::vector<std::vector<std::uint32_t>> by_thread_;  // of the level at hand
};

}  // namespace tidewise

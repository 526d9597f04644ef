#pragma once

#include <cstdint>

#include "env/grid.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// Landings of some consecutive actions of one cell: a window of offsets for each action and, for
/// each offset in it, the number of realizations that land there, or the sum of their weights and
/// bilinear shares (position.h). Every action's window contains all its landings, so its counts sum
/// to row_total(). Borrows its memory.
struct CellTransitions {
  std::int32_t first_action = 0;
  std::int32_t action_count = 0;
  std::int32_t width = 0;                ///< columns of every window
  std::int32_t height = 0;               ///< rows of every window
  const Offset* origin = nullptr;        ///< (action): south-western corner of its window
  const std::uint32_t* count = nullptr;  ///< (action, row from the south, column from the west)

  const std::uint32_t* row(std::int32_t action, std::int32_t r) const {
    return count + (static_cast<std::size_t>(action) * static_cast<std::size_t>(height) +
                    static_cast<std::size_t>(r)) *
                       static_cast<std::size_t>(width);
  }
};

/// Receives the counts from an engine.
class CountSink {
 public:
  virtual ~CountSink() = default;
  /// Called from thread `thread` (0 … threads−1). The actions of one cell come in ascending order,
  /// in one or several calls, from one thread at a time. `counts` is valid during the call.
  virtual void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) = 0;
};

}  // namespace tidewise

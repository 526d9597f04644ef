#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"
#include "model_builder/step/cell_transitions.h"
#include "solver/evaluate/policy_transitions.h"

namespace tidewise {

/// A policy that some missions follow at once, at one level.
struct SharedPolicy {
  std::vector<std::int16_t> action;  ///< (y, x), of the level
  std::vector<CellIndex> cells;      ///< that hold mass of some mission that follows it, ascending
  PolicyTransitions landings;        ///< of those cells that are being counted
};

/// The cells that several policies want counted at one level, each once, part by part; what the
/// engine counts goes to every policy that wants it.
class PolicySharing final : public CountSink {
 public:
  explicit PolicySharing(const Grid& grid);

  /// Another level begins. `policies`: those that take part; they must outlive the level.
  void begin(std::vector<SharedPolicy*> policies);
  /// The next cells to count, ascending, with all policies made ready for them; none when the level
  /// is done. A part ends where the policies want `most` cells of it between them, each its own.
  View<const CellIndex> next_part(std::size_t most);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  std::vector<SharedPolicy*> policies_;
  std::vector<CellIndex> cells_;        // wanted, ascending
  std::vector<std::uint32_t> first_;    // (cell, and one more): of its policies in wanting_
  std::vector<std::uint32_t> wanting_;  // policies, cell after cell
  std::size_t done_ = 0;                // of cells_
};

/// Where `part`, consecutive ones of a level's cells, begins and ends in `cells`, both ascending.
struct PartRange {
  std::size_t first = 0;
  std::size_t end = 0;
};
PartRange range_of(View<const CellIndex> part, View<const CellIndex> cells);

}  // namespace tidewise

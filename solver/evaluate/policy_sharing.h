#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"
#include "model_builder/step/cell_transitions.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/induction/level_solver.h"

namespace tidewise {

/// The policy of several missions at one level.
struct SharedPolicy {
  std::vector<std::int16_t> action;  ///< (y, x), of the level
  /// Cells with mass of some mission that follows the policy, ascending.
  std::vector<CellIndex> cells;
  PolicyTransitions landings;  ///< transitions of the cells that are being counted
};

/// Mass that follows a policy.
struct Follower {
  ForwardPropagation* mass;
  SharedPolicy* policy;  ///< its cells include all cells of the mass
};

/// The cells that several policies need counted at one level, each once, part by part. Passes the
/// engine's counts of a cell to every policy that needs them.
class PolicySharing final : public CountSink {
 public:
  /// For environments with this grid.
  explicit PolicySharing(const Grid& grid);

  /// Makes the step from k, with fields `now`, of all `followers`; followers of the same policy
  /// must be adjacent. A part ends when the policies together need `max_cells` cells of it.
  void step(TimeLevel k, const LevelView& now, const LevelView& next,
            const std::vector<Follower>& followers, std::size_t max_cells, std::int32_t threads,
            const CountLevel& count);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  // Begins another level, of policies_.
  void begin();
  // The next cells to count, ascending, after preparing all policies for them; empty if the level
  // is done.
  View<const CellIndex> next_part(std::size_t max_cells);

  std::vector<SharedPolicy*> policies_;
  std::vector<CellIndex> cells_;      // needed by some policy, ascending
  std::vector<std::uint32_t> first_;  // (cell, and one more): start of the cell's policies in
                                      // policies_of_cells_
  std::vector<std::uint32_t> policies_of_cells_;  // indices of policies, cell after cell
  std::size_t done_ = 0;                          // number of cells_ done
};

}  // namespace tidewise

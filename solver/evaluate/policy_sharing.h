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

/// A policy that some missions follow at once, at one level.
struct SharedPolicy {
  std::vector<std::int16_t> action;  ///< (y, x), of the level
  std::vector<CellIndex> cells;      ///< that hold mass of some mission that follows it, ascending
  PolicyTransitions landings;        ///< of those cells that are being counted
};

/// Mass that moves by a policy.
struct Follower {
  ForwardPropagation* mass;
  SharedPolicy* policy;  ///< whose cells hold all of the mass
};

/// The cells that several policies want counted at one level, each once, part by part; what the
/// engine counts goes to every policy that wants it.
class PolicySharing final : public CountSink {
 public:
  explicit PolicySharing(const Grid& grid);

  /// The step from k, whose fields are `now`, of all `followers`; those of a policy stand beside
  /// each other. A part ends where the policies want `most` cells of it between them, each its own.
  void step(TimeLevel k, const LevelView& now, const LevelView& next,
            const std::vector<Follower>& followers, std::size_t most, std::int32_t threads,
            const CountLevel& count);

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;

 private:
  /// Another level begins, of policies_.
  void begin();
  /// The next cells to count, ascending, with all policies made ready for them; none when the level
  /// is done.
  View<const CellIndex> next_part(std::size_t most);

  std::vector<SharedPolicy*> policies_;
  std::vector<CellIndex> cells_;        // wanted, ascending
  std::vector<std::uint32_t> first_;    // (cell, and one more): of its policies in wanting_
  std::vector<std::uint32_t> wanting_;  // policies, cell after cell
  std::size_t done_ = 0;                // of cells_
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// One successor of (cell, action): n(s, a, Δ) of row_total() land at Δ.
struct Landing {
  Offset to;
  std::uint32_t count = 0;
};

/// Calls take(landing) for each successor of the a-th of `counts` whose count is not 0: rows from
/// south to north, each from west to east.
template <class Take>
void for_each_landing(const CellTransitions& counts, std::int32_t a, const Take& take) {
  const Offset origin = counts.origin[a];
  for (std::int32_t row = 0; row < counts.height; ++row) {
    const std::uint32_t* count = counts.row(a, row);
    for (std::int32_t column = 0; column < counts.width; ++column) {
      if (count[column] == 0) continue;
      take(Landing{{origin.dx + column, origin.dy + row}, count[column]});
    }
  }
}

/// Keeps, of all that an engine counts, where the policy's action leads: what following a policy
/// needs. Cells whose policy is no_action have no landings.
class PolicyTransitions final : public CountSink {
 public:
  /// The cells that will come, and the policy (y, x) of their level; both must outlive the
  /// counting.
  void expect(View<const CellIndex> cells, View<const std::int16_t> policy);
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;
  /// Successors of an expected cell, in the order of for_each_landing().
  const std::vector<Landing>& of(CellIndex cell) const {
    return landings_[static_cast<std::size_t>(place_[static_cast<std::size_t>(cell.value)])];
  }

 private:
  View<const std::int16_t> policy_;
  std::vector<std::int32_t> place_;             // (y, x): which of the expected cells this is
  std::vector<std::vector<Landing>> landings_;  // (expected cell)
};

}  // namespace tidewise

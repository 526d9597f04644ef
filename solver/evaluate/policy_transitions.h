#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// One successor of (cell, action): n(s, a, Δ) of row_total() realizations land at offset Δ.
struct Landing {
  Offset to;
  std::uint32_t count = 0;
};

/// Calls take(landing) for each successor of the a-th action of `counts` with a positive count:
/// rows from south to north, each from west to east.
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

/// Keeps the counts of the policy's actions from those of an engine. Cells with no_action have no
/// landings.
class PolicyTransitions final : public CountSink {
 public:
  /// Sets the cells that will be counted and the policy (y, x) of their level. Both must outlive
  /// the counting.
  void expect(View<const CellIndex> cells, View<const std::int16_t> policy);
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;
  /// Successors of an expected cell, in the order of for_each_landing().
  const std::vector<Landing>& of(CellIndex cell) const {
    return landings_[static_cast<std::size_t>(place_[static_cast<std::size_t>(cell.value)])];
  }

 private:
  View<const std::int16_t> policy_;
  std::vector<std::int32_t> place_;             // (y, x): index among the expected cells
  std::vector<std::vector<Landing>> landings_;  // (expected cell)
};

}  // namespace tidewise

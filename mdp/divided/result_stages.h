#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"

namespace tidewise::mdp {

// The stages of a sweep of Result Divided Iteration; each is called for every element separately.
// Products are rounded before they are added, so their sum may differ from row_value() in the last
// bits.

/// p v(s') of a transition.
template <class Real>
struct TransitionProducts {
  ProcessView<Real> process;
  const Real* value = nullptr;  ///< (state)
  Real* product = nullptr;      ///< (entry)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t entry) const {
    product[entry] = process.probability[entry] * value[process.successor[entry]];
  }
};

/// Q = r + γ Σ products of a row, added in the order of entries.
template <class Real>
struct RowSums {
  ProcessView<Real> process;
  const Real* product = nullptr;  ///< (entry)
  Real* row_value = nullptr;      ///< (row); meaningless for empty rows

  TIDEWISE_HOST_DEVICE void operator()(std::size_t row) const {
    const std::int64_t end = process.row_begin[row + 1];
    Real expected = 0;
    for (std::int64_t n = process.row_begin[row]; n < end; ++n) expected += product[n];
    row_value[row] = close_row(expected, process.discount, process.reward[row]);
  }
};

/// max_a Q(s, a) of a state, and the change of its value.
template <class Real>
struct StateMaxima {
  ProcessView<Real> process;
  const Real* row_value = nullptr;  ///< (row)
  Real* value = nullptr;            ///< (state); unchanged for terminal states
  std::int32_t* action = nullptr;   ///< (state)

  TIDEWISE_HOST_DEVICE double operator()(std::size_t state) const {
    const Real present = value[state];
    BestAction<Real> best{present, -1};
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      const std::int64_t row = process.row(static_cast<std::int32_t>(state), a);
      const auto at = static_cast<std::size_t>(row);
      if (process.row_begin[at] == process.row_begin[at + 1]) continue;
      take_better(best, row_value[row], a);
    }
    value[state] = best.value;
    action[state] = best.action;
    return static_cast<double>(best.value) - static_cast<double>(present);
  }
};

}  // namespace tidewise::mdp

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

// Extracts P_π and r_π of a policy from a process by count, scan and copy. Each step is a body for
// one state; all views are in the memory of the backend. `Index`: std::int32_t, or std::int64_t if
// P_π may have 2^31 or more entries.

/// Number of entries of a row.
template <class Real>
TIDEWISE_HOST_DEVICE std::int64_t row_length(const ProcessView<Real>& process, std::size_t state,
                                             std::int32_t action) {
  const auto at = static_cast<std::size_t>(process.row(static_cast<std::int32_t>(state), action));
  return process.row_begin[at + 1] - process.row_begin[at];
}

/// Largest number of entries that a state can add to P_π.
template <class Real>
struct LongestRow {
  ProcessView<Real> process;

  TIDEWISE_HOST_DEVICE std::int64_t operator()(std::size_t state) const {
    std::int64_t longest = 0;
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t length = row_length(process, state, action);
      longest = length > longest ? length : longest;
    }
    return longest;
  }
};

/// Count: the length of each state's row of P_π; 0 for a terminal state. An exclusive sum over all
/// lengths and a further 0 gives the starts of the rows.
template <class Real, class Index>
struct CountPolicyRow {
  ProcessView<Real> process;
  View<const std::int32_t> action;  ///< π, (state), −1 in terminal states
  View<Index> length;               ///< (state + 1), the last is unchanged

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    length[state] =
        static_cast<Index>(action[state] < 0 ? 0 : row_length(process, state, action[state]));
  }
};

/// Copy: the entries of each state's row, and r_π. For a terminal state r_π holds its value, so
/// that r_π + γ P_π V keeps it.
template <class Real, class Index>
struct CopyPolicyRow {
  ProcessView<Real> process;
  View<const std::int32_t> action;  ///< π, (state)
  View<const Real> value;           ///< (state)
  View<const Index> begin;          ///< (state + 1)
  View<Index> column;               ///< (entry)
  View<Real> probability;           ///< (entry)
  View<Real> reward;                ///< r_π, (state)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    if (action[state] < 0) {
      reward[state] = value[state];
      return;
    }
    const auto row =
        static_cast<std::size_t>(process.row(static_cast<std::int32_t>(state), action[state]));
    reward[state] = process.reward[row];
    auto to = static_cast<std::size_t>(begin[state]);
    const auto end = static_cast<std::size_t>(process.row_begin[row + 1]);
    for (auto from = static_cast<std::size_t>(process.row_begin[row]); from < end; ++from, ++to) {
      column[to] = static_cast<Index>(process.successor[from]);
      probability[to] = process.probability[from];
    }
  }
};

/// next ← next + r_π, after next ← γ P_π V.
template <class Real>
struct AddPolicyReward {
  View<const Real> reward;  ///< r_π, (state)
  View<const Real> value;   ///< V, (state)
  View<Real> next;          ///< (state)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const { next[state] += reward[state]; }
};

}  // namespace tidewise::mdp

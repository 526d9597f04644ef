#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

// P_π and r_π of a policy out of a process, by count, scan and copy: each step a body for one state
// and all views in the memory of whoever computes. `Index`: std::int32_t, or std::int64_t where
// P_π may have 2^31 entries and more.

/// Entries of a row.
template <class Real>
TIDEWISE_HOST_DEVICE std::int64_t row_length(const ProcessView<Real>& process, std::size_t state,
                                             std::int32_t action) {
  const auto at = static_cast<std::size_t>(process.row(static_cast<std::int32_t>(state), action));
  return process.row_begin[at + 1] - process.row_begin[at];
}

/// The most entries that a state adds to P_π, whatever the policy.
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

/// Count: the length of each state's row of P_π; a terminal state's is empty. An exclusive sum over
/// all and one 0 more makes starts of the lengths.
template <class Real, class Index>
struct CountPolicyRow {
  ProcessView<Real> process;
  View<const std::int32_t> action;  ///< π, (state), −1 in terminal states
  View<Index> length;               ///< (state + 1), the last left as it is

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    length[state] =
        static_cast<Index>(action[state] < 0 ? 0 : row_length(process, state, action[state]));
  }
};

/// Copy: the entries of each state's row, and r_π; what a terminal state is worth stands in r_π, so
/// that r_π + γ P_π V leaves it as it is.
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

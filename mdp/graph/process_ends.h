#pragma once

#include <cstddef>
#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Whether a row leads nowhere but to its own state. A question of the graph: a probability of
/// staying that rounds to 1 says nothing of what leaves beside it.
template <class Real>
bool leads_only_to_itself(const DecisionProcess<Real>& process, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  const std::int64_t state = row / process.action_count;
  for (auto n = process.row_begin[at]; n < process.row_begin[at + 1]; ++n) {
    const auto entry = static_cast<std::size_t>(n);
    if (process.probability[entry] > 0 && process.successor[entry] != state) return false;
  }
  return true;
}

/// Whether nothing more comes of a state: it has no action, or all of them stay and bring nothing.
template <class Real>
bool is_end(const DecisionProcess<Real>& process, std::int32_t state) {
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const std::int64_t row = process.row(state, action);
    if (!leads_only_to_itself(process, row)) return false;
    if (process.is_allowed(row) && process.reward[static_cast<std::size_t>(row)] != 0) return false;
  }
  return true;
}

/// Whether row numbers fit std::uint32_t, for PredecessorRows.
template <class Real>
bool rows_are_few(const DecisionProcess<Real>& process) {
  return process.row_count() < (std::int64_t{1} << 32);
}

}  // namespace tidewise::mdp

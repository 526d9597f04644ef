#pragma once

#include <cstddef>
#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Whether nothing more comes of a state: it has no action, or all of them stay and bring nothing.
template <class Real>
bool is_end(const DecisionProcess<Real>& process, std::int32_t state) {
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const auto row = static_cast<std::size_t>(process.row(state, action));
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      if (process.probability[entry] > 0 && process.successor[entry] != state) return false;
    }
    if (process.is_allowed(std::int64_t(row)) && process.reward[row] != 0) return false;
  }
  return true;
}

/// Whether row numbers fit std::uint32_t, for PredecessorRows.
template <class Real>
bool rows_are_few(const DecisionProcess<Real>& process) {
  return process.row_count() < (std::int64_t{1} << 32);
}

}  // namespace tidewise::mdp

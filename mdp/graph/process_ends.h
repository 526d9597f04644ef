#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// True if a state is an end: it has no action, or all of them stay without reward. Decided by the
/// graph, because a probability of staying may round to 1 although the row leaves.
template <class Real>
bool is_end(const DecisionProcess<Real>& process, std::int32_t state) {
  for (std::int64_t row = process.row(state, 0); row < process.row(state + 1, 0); ++row) {
    if (process.may_lead(row, [&](std::int32_t to) { return to != state; })) return false;
    if (process.is_allowed(row) && process.reward[row] != 0) return false;
  }
  return true;
}

}  // namespace tidewise::mdp

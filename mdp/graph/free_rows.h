#pragma once

#include <cstdint>

#include "mdp/graph/end_components.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Whether nobody leaves the component of a row's state by it, and it brings nothing.
template <class Real>
bool stays_for_nothing(const DecisionProcess<Real>& process, const EndComponents& components,
                       std::int64_t row) {
  const auto component = components.of_state[std::size_t(row / process.action_count)];
  if (component < 0 || process.reward[std::size_t(row)] != 0) return false;
  for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
       ++n) {
    const auto entry = static_cast<std::size_t>(n);
    if (!(process.probability[entry] > 0)) continue;
    if (components.of_state[std::size_t(process.successor[entry])] != component) return false;
  }
  return process.is_allowed(row);
}

}  // namespace tidewise::mdp

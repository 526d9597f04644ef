#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Sets of states; within each a policy can move for ever, from any state to any other.
struct EndComponents {
  std::vector<std::int32_t> of_state = {};  ///< (state): its component's number, or −1
  std::int32_t count = 0;
};

/// The maximal end components of the process restricted to the rows in `selected`, (row): the
/// greatest sets of states, each with a row in `selected` that does not leave its set, in which
/// such rows connect all states with each other. Components are numbered arbitrarily. Finds
/// strongly connected components repeatedly without the rows that leave theirs, each time only
/// where a row was removed; memory is linear in the process. Source: de Alfaro, "Formal
/// verification of probabilistic systems", 1997, chapter 3.
template <class Real>
EndComponents find_end_components(const DecisionProcess<Real>& process,
                                  std::vector<std::uint8_t> selected);

/// True if a row has no reward and never leaves the end component of its state.
template <class Real>
bool stays_without_reward(const DecisionProcess<Real>& process, const EndComponents& components,
                          std::int64_t row) {
  const std::int32_t component = components.of_state[process.state_of(row)];
  const auto leaves = [&](std::int32_t to) { return components.of_state[to] != component; };
  return component >= 0 && process.reward[row] == 0 && process.is_allowed(row) &&
         !process.may_lead(row, leaves);
}

}  // namespace tidewise::mdp

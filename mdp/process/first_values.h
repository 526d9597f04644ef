#pragma once

#include <cstddef>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// The initial values of iteration, (state).
template <class Real>
std::vector<Real> first_values(const DecisionProcess<Real>& process) {
  if (!process.initial_value.empty()) return process.initial_value;
  return std::vector<Real>(static_cast<std::size_t>(process.state_count), Real{0});
}

/// The initial values `values`, (state), such as another solution's. Terminal states keep their
/// values, and states with an infinite value their initial ones, unless `are_final_rewards`, that
/// is, the values are rewards at the end of a horizon. With Direction::minimize, `process` is
/// negated but `values` are not. Errors: InputError if the number of values is not that of states,
/// or one is not finite in this precision.
template <class Real>
std::vector<Real> first_values_from(const DecisionProcess<Real>& process,
                                    const std::vector<double>& values, Direction direction,
                                    bool are_final_rewards);

/// Requires that `count`, the number of `what`, is the number of states. Errors: InputError.
void require_one_per_state(std::size_t count, std::int32_t states, const char* what);

}  // namespace tidewise::mdp

#pragma once

#include <cstddef>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// The values that iteration begins with, (state).
template <class Real>
std::vector<Real> first_values(const DecisionProcess<Real>& process) {
  if (!process.initial_value.empty()) return process.initial_value;
  return std::vector<Real>(static_cast<std::size_t>(process.state_count), Real{0});
}

/// The same with `given`, (state), in their place, such as another solution's; terminal states keep
/// what they are worth, and others that were infinite what they begin with, unless values
/// `are_worth` something, as those of a horizon's last step. `process` is turned where the
/// direction is the least, `given` is not. Errors: InputError for values that are not one a state,
/// or no finite number in this precision.
template <class Real>
std::vector<Real> first_values_from(const DecisionProcess<Real>& process,
                                    const std::vector<double>& given, Direction direction,
                                    bool are_worth);

/// Refuses `count` of `what` that are not one a state: InputError.
void require_one_a_state(std::size_t count, std::int32_t states, const char* what);

}  // namespace tidewise::mdp

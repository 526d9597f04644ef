#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Makes `states` terminal with the value `value`, by emptying their rows. Other states are
/// unchanged. Errors: InputError for a state that does not exist.
template <class Real>
DecisionProcess<Real> make_terminal(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states, Real value);

/// Makes `states` terminal with the value 0, and removes the actions of other states that may lead
/// to them.
template <class Real>
DecisionProcess<Real> remove_states(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states);

}  // namespace tidewise::mdp

#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Q(s, a) of values in double, by the code that judges solutions, (state, action); NaN where a
/// state does not have the action. `value`: (state).
template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads);

}  // namespace tidewise::mdp

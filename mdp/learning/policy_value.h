#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// V_π of a policy on the model, (state), within 1e-9 of the greatest |V_π| or to the precision.
/// `action`: (state), −1 in terminal states. Requires a discount below 1.
template <class Real>
std::vector<Real> policy_value(const DecisionProcess<Real>& process,
                               const std::vector<std::int32_t>& action, std::int32_t threads);

}  // namespace tidewise::mdp

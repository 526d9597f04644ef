#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// With γ = 1 an action that stays for nothing is as good as the way on, and a policy of lowest
/// greedy actions may stand still for ever where its value counts on going on. Gives states from
/// which `action` cannot come to an end another action that can, of those that `value` puts within
/// `slack` of the best; where none does, resting is best, and the action stays. Returns how many
/// were changed. `value`, `action`: (state).
template <class Real>
std::int64_t make_policy_terminate(const DecisionProcess<Real>& process,
                                   const std::vector<Real>& value, double slack,
                                   std::vector<std::int32_t>& action);

}  // namespace tidewise::mdp

#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Changes a policy such that it terminates where it can. With γ = 1 an action that stays without
/// reward is as good as one that leads on, so that a policy of lowest greedy actions may stay for
/// ever although its value assumes progress. States from which `action` cannot terminate get
/// another action that can, among those within `slack` of the best by `value`. If none can, staying
/// is optimal, and the action is kept. Returns the number of changed states. `value`, `action`:
/// (state).
template <class Real>
std::int64_t make_policy_terminate(const DecisionProcess<Real>& process,
                                   const std::vector<Real>& value, double slack,
                                   std::vector<std::int32_t>& action);

}  // namespace tidewise::mdp

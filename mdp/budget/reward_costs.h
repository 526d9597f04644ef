#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// What each transition takes of a budget, in whole units.
struct RewardCosts {
  double unit = 1;                 ///< the largest that all rewards are multiples of
  std::vector<std::int32_t> cost;  ///< [unit], (entry); more than the budget is budget + 1
  std::int32_t greatest = 0;       ///< [unit], of those within the budget
  std::int64_t budget = 0;         ///< [unit]
};

/// Of a process whose rewards are turned where the direction is the least. Errors: InputError for a
/// negative reward, for rewards that have no common unit of which they are a thousandfold of the
/// smallest or less, and for a budget of more than a million units.
template <class Real>
RewardCosts find_reward_costs(const DecisionProcess<Real>& process, double budget,
                              Direction direction);

}  // namespace tidewise::mdp

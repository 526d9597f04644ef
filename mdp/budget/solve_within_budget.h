#pragma once

#include <cstdint>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// What was found within a budget of rewards.
template <class Real>
struct BudgetSolution {
  /// Of the whole budget; `bounds` hold all levels' errors.
  ProcessSolution<Real> solution;
  Method method = Method::backward;  ///< of levels, where states go round for nothing
  double unit = 1;                   ///< that the budget is counted in
  std::int64_t levels = 0;           ///< solved: units of the budget, and 0
};

/// The probability of coming to a terminal state that is worth 1 with rewards that sum to `budget`
/// at most, by the best policy, which knows what is left of it. `process`: ends in target states,
/// worth 1, and in others, worth 0 (end_in_target()); turned where the direction is the least. It
/// is unfolded by what is left: a level is a process of the rows that cost nothing, whose other
/// transitions lead to levels that are known. Memory: S values for each unit of the largest reward.
/// Where the rows that cost nothing make no circle, a level is one pass over the states, else a
/// solve without a discount. On the processor.
/// Errors: InputError as find_reward_costs(), and where values take more than 8 GiB; those of
/// solve_process().
template <class Real>
BudgetSolution<Real> solve_within_budget(const DecisionProcess<Real>& process, double budget,
                                         Direction direction, const SolveOptions& options,
                                         Progress& progress);

}  // namespace tidewise::mdp

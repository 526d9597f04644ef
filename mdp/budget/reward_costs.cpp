#include "mdp/budget/reward_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "mdp/file/transition_rewards.h"

namespace tidewise::mdp {
namespace {

constexpr double most_units = 1e6;
constexpr int most_divisions = 1000;
constexpr double near = 1e-6;  // of a unit: what digits of a file leave

/// `precision`: of rewards, the distance from 1 to the next number.
bool is_multiple(double reward, double unit, double precision) {
  const double times = reward / unit;
  return std::abs(times - std::round(times)) <= std::min(0.01, near + 4 * precision * times);
}

/// The largest unit that is the smallest reward divided by a whole number; 0 where there is none.
double common_unit(const std::set<double>& rewards, double precision) {
  if (rewards.empty()) return 1;
  for (int division = 1; division <= most_divisions; ++division) {
    const double unit = *rewards.begin() / division;
    if (std::all_of(rewards.begin(), rewards.end(),
                    [&](double reward) { return is_multiple(reward, unit, precision); })) {
      return unit;
    }
  }
  return 0;
}

}  // namespace

template <class Real>
RewardCosts find_reward_costs(const DecisionProcess<Real>& process, double budget,
                              Direction direction) {
  std::vector<double> rewards(static_cast<std::size_t>(process.entry_count()));
  std::set<double> different;  // those that count
  constexpr std::size_t most_different = 100'000;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    const RowRewards<Real> of_row(process, row);
    const auto end = process.row_begin[static_cast<std::size_t>(row) + 1];
    for (auto n = process.row_begin[static_cast<std::size_t>(row)]; n < end; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const double reward =
          static_cast<double>(of_row.of(n)) * (direction == Direction::least ? -1 : 1);
      if (reward < 0) {
        throw InputError(fmt::format(
            "state {}, action {}: brings {} on the way to state {}; a budget of rewards needs "
            "rewards from 0 on",
            row / process.action_count, row % process.action_count, reward, process.successor[at]));
      }
      rewards[at] = reward;
      if (reward > 0 && reward <= budget * (1 + near)) different.insert(reward);
      if (different.size() > most_different) break;
    }
  }
  constexpr double precision = std::numeric_limits<Real>::epsilon();
  RewardCosts costs;
  costs.unit = different.size() > most_different ? 0 : common_unit(different, precision);
  if (costs.unit == 0) {
    throw InputError(fmt::format(
        "rewards such as {} and {} are no multiples of a common unit, which a budget of rewards "
        "is counted in; round the rewards of the model",
        *different.begin(), *different.rbegin()));
  }
  const double units = std::floor(budget / costs.unit * (1 + 4 * precision) + near);
  if (units > most_units) {
    throw InputError(fmt::format(
        "the budget of {} is {:.3g} times {}, the unit of the rewards, and {:g} is the most; give "
        "a smaller one, or round the rewards",
        budget, units, costs.unit, most_units));
  }
  costs.budget = static_cast<std::int64_t>(units);
  costs.cost.reserve(rewards.size());
  for (const double reward : rewards) {
    const bool is_within = reward <= budget * (1 + near);
    const double times = is_within ? std::round(reward / costs.unit) : units + 1;
    const auto cost = static_cast<std::int32_t>(std::min(times, units + 1));
    costs.cost.push_back(cost);
    if (cost <= costs.budget) costs.greatest = std::max(costs.greatest, cost);
  }
  return costs;
}

template RewardCosts find_reward_costs(const DecisionProcess<float>&, double, Direction);
template RewardCosts find_reward_costs(const DecisionProcess<double>&, double, Direction);

}  // namespace tidewise::mdp

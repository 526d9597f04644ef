#include "mdp/interval/exact_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "mdp/interval/exact_policies.h"

namespace tidewise::mdp {
namespace {

// Components that elimination takes before anything is swept, those of least work first:
// multiplications for one policy of each, some hundredths of a second.
constexpr double first_work = 1e7;
// Others are swept; what has taken so many multiplications is given to elimination, which may take
// some times as many, and so on: neither way takes much longer than the better one alone.
constexpr double first_sweeps = 1e8;
constexpr double elimination_share = 4;
constexpr std::int64_t many_states = 1000;
constexpr std::int64_t few_sweeps = 100;
constexpr int improving_sweeps = 20;
constexpr int most_improvements = 200;
// An action is another one's better where it is worth more by this share: less may be rounding …
constexpr double least_share = 1e-13;
// … but where a state is seldom left little is much in the end. So in the last improvements what
// one step brings counts where it is more than rounding of that step, in units.
constexpr int fine_improvements = 10;
constexpr double least_units = 8;
// Sweeps over the rows that are taken, after one over all that took no other.
constexpr int evaluations = 4;
// Components that are solved without any rounding, by products of 32-bit numbers, in all a second
// or two: each state taken out makes the numbers longer.
constexpr std::int64_t most_exact_states = 100;
constexpr double most_exact_work = 1e9;

}  // namespace

template <class Real>
ExactBlocks<Real>::ExactBlocks(const RewardRows<Real>& rows, const StateGroups& order,
                               std::function<void()> after_sweep)
    : rows_(rows),
      order_(order),
      after_sweep_(std::move(after_sweep)),
      group_of_(order.states.size()),
      place_of_(order.states.size()),
      most_work_(static_cast<std::size_t>(order.count()), 0) {
  for (std::int64_t group = 0; group < order.count(); ++group) {
    for (std::int64_t n = 0; n < order.size(group); ++n) {
      const auto state = static_cast<std::size_t>(order.first(group)[n]);
      group_of_[state] = static_cast<std::int32_t>(group);
      place_of_[state] = static_cast<std::int32_t>(n);
    }
  }
  std::vector<std::pair<double, std::int64_t>> work;
  for (std::int64_t group = 0; group < order.count(); ++group) {
    if (order.size(group) > 1) {
      work.emplace_back(elimination_of(RowRule{}, group, first_work).work(), group);
    }
  }
  std::sort(work.begin(), work.end());
  double all = 0;
  for (const auto& [own, group] : work) {
    all += own;
    if (all > first_work) break;
    most_work_[static_cast<std::size_t>(group)] = first_work;
  }
}

template <class Real>
std::int32_t ExactBlocks<Real>::largest_exact() const {
  std::int64_t largest = 1;
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    if (order_.size(group) == 1) continue;
    if (!(most_work_[static_cast<std::size_t>(group)] > 0)) return 0;
    largest = std::max(largest, order_.size(group));
  }
  return static_cast<std::int32_t>(largest);
}

template <class Real>
PolicyElimination<Real> ExactBlocks<Real>::elimination_of(const RowRule& rule, std::int64_t group,
                                                          double most) const {
  std::vector<std::int32_t> states(order_.first(group), order_.first(group) + order_.size(group));
  std::sort(states.begin(), states.end());
  return {rows_, rule, std::move(states), group_of_, most};
}

template <class Real>
std::int64_t ExactBlocks<Real>::solve(const RowRule& rule, double change, std::int64_t most_sweeps,
                                      std::vector<double>& value,
                                      std::vector<std::int32_t>& action) {
  std::int64_t sweeps = 0;
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    const std::int64_t size = order_.size(group);
    if (size == 1) {
      (void)back_up(rule, *order_.first(group), value, action);
      continue;
    }
    const double most = most_work_[static_cast<std::size_t>(group)];
    std::optional<ComponentRows<Real>> rows;
    const auto lay_out = [&] {
      if (!rows) rows.emplace(rows_, rule, order_, group, group_of_, place_of_, value, action);
    };
    if (most > 0) {
      // Sweeps find most of a policy for less than its improvements would.
      if (size >= many_states) {
        lay_out();
        (void)sweep(rule, group, change, few_sweeps, *rows, value, action);
      }
      if (iterate_policies(rule, group, most, rows ? &*rows : nullptr, value, action)) continue;
    }
    lay_out();
    sweeps = std::max(sweeps, sweep(rule, group, change, most_sweeps, *rows, value, action));
  }
  return sweeps;
}

template <class Real>
typename ExactBlocks<Real>::Best ExactBlocks<Real>::best_of(
    const RowRule& rule, std::int32_t state, const std::vector<double>& value) const {
  const DecisionProcess<Real>& process = rows_.solved();
  Best best{-std::numeric_limits<double>::infinity(), -1};
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const std::int64_t row = process.row(state, action);
    if (!process.is_allowed(row) || !rule.takes(row)) continue;
    const RowSum sum = rows_.rounded_sum(state, row, value, reward(rule, row));
    if (sum.leaves() && sum.solved() > best.value) best = {sum.solved(), action};
  }
  return best;
}

/// By how much the value changed.
template <class Real>
double ExactBlocks<Real>::back_up(const RowRule& rule, std::int32_t state,
                                  std::vector<double>& value,
                                  std::vector<std::int32_t>& action) const {
  const Best best = best_of(rule, state, value);
  if (best.action < 0) return 0;
  double& own = value[static_cast<std::size_t>(state)];
  const double change = std::abs(best.value - own);
  own = best.value;
  action[static_cast<std::size_t>(state)] = best.action;
  return change;
}

template <class Real>
std::int64_t ExactBlocks<Real>::sweep(const RowRule& rule, std::int64_t group, double change,
                                      std::int64_t most_sweeps, ComponentRows<Real>& rows,
                                      std::vector<double>& value,
                                      std::vector<std::int32_t>& action) {
  rows.load(value, action);
  double work = 0;
  double next_elimination = first_sweeps;
  std::int64_t sweeps = 0;
  const auto count = [&](std::int64_t entries) {
    work += static_cast<double>(entries);
    ++sweeps;
    after_sweep_();
  };
  double greatest = 0;
  do {
    greatest = rows.improve();
    count(rows.entry_count());
    for (int n = 0; n < evaluations && !rows.has_switched() && sweeps < most_sweeps; ++n) {
      count(rows.evaluate());
    }
    if (work < next_elimination) continue;
    rows.store(value, action);
    const double most = elimination_share * work;
    if (iterate_policies(rule, group, most, &rows, value, action)) {
      most_work_[static_cast<std::size_t>(group)] = most;
      return sweeps;
    }
    next_elimination = 4 * work;
    rows.load(value, action);
  } while (greatest >= change && sweeps < most_sweeps && std::isfinite(greatest));
  rows.store(value, action);
  return sweeps;
}

/// Howard's policy iteration within a component; whether it came to an end. Where it did not,
/// values are those of the last policy that was evaluated.
template <class Real>
bool ExactBlocks<Real>::iterate_policies(const RowRule& rule, std::int64_t group, double most,
                                         ComponentRows<Real>* rows, std::vector<double>& value,
                                         std::vector<std::int32_t>& action) const {
  const PolicyElimination<Real> block = elimination_of(rule, group, most);
  if (!block.choose_ending_policy(action)) return false;
  std::vector<double> found;
  int fine = 0;
  for (int improvement = 0; improvement < most_improvements; ++improvement) {
    if (!block.evaluate(action, value, found)) return false;
    // What actions alike do to each other's rounding lifts no value but by chance.
    double rise = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      double& own = value[static_cast<std::size_t>(block.states()[n])];
      if (found[n] != own) rise += (found[n] - own) / std::abs(own);
      own = found[n];
    }
    const bool has_risen =
        improvement == 0 || !(rise <= least_share * static_cast<double>(found.size()));
    if (fine > 0 && !has_risen) return true;
    bool improved = false;
    if (fine == 0 && has_risen) {
      improved = rows == nullptr ? improve(rule, block.states(), false, value, action)
                                 : improve_in_place(*rows, value, action);
    }
    if (!improved && fine++ < fine_improvements) {
      improved = improve(rule, block.states(), true, value, action);
    }
    if (!improved) return true;
  }
  return true;
}

/// Takes better actions by sweeps, each of which carries them on from state to state; whether there
/// were any.
template <class Real>
bool ExactBlocks<Real>::improve_in_place(ComponentRows<Real>& rows, std::vector<double>& value,
                                         std::vector<std::int32_t>& action) {
  rows.load(value, action);
  bool improved = false;
  for (int n = 0; n < improving_sweeps; ++n) {
    (void)rows.improve();
    if (!rows.has_switched()) break;
    improved = true;
  }
  if (improved) rows.store(value, action);
  return improved;
}

/// Takes better actions; whether there were any.
template <class Real>
bool ExactBlocks<Real>::improve(const RowRule& rule, const std::vector<std::int32_t>& states,
                                bool finely, const std::vector<double>& value,
                                std::vector<std::int32_t>& action) const {
  const DecisionProcess<Real>& process = rows_.solved();
  constexpr double unit = std::numeric_limits<double>::epsilon();
  bool improved = false;
  for (const std::int32_t state : states) {
    std::int32_t& taken = action[static_cast<std::size_t>(state)];
    double best = -std::numeric_limits<double>::infinity();
    std::int32_t best_one = taken;
    for (std::int32_t one = 0; one < process.action_count; ++one) {
      const std::int64_t row = process.row(state, one);
      if (one == taken || !process.is_allowed(row) || !rule.takes(row)) continue;
      const RowSum sum = rows_.sum(state, row, value, reward(rule, row));
      if (!sum.leaves() || !(sum.gain > sum.error)) continue;
      const double more = sum.gain / sum.leaving;
      const double least = finely ? least_units * unit * sum.magnitude()
                                  : least_share * std::abs(sum.own) * sum.leaving;
      if (sum.gain <= least || more <= best) continue;
      best = more;
      best_one = one;
    }
    improved = improved || best_one != taken;
    taken = best_one;
  }
  return improved;
}

template <class Real>
void ExactBlocks<Real>::bound(const std::vector<std::int32_t>& action, std::vector<double>& lower,
                              std::vector<double>& upper) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    if (order_.size(group) == 1) {
      bound_state(*order_.first(group), lower, upper);
      continue;
    }
    for (std::int64_t n = 0; n < order_.size(group); ++n) {
      lower[static_cast<std::size_t>(order_.first(group)[n])] = -infinity;
      upper[static_cast<std::size_t>(order_.first(group)[n])] = infinity;
    }
    if (most_work_[static_cast<std::size_t>(group)] > 0) bound_policy(group, action, lower, upper);
  }
}

/// Of what others lead to it is the best. A terminal state keeps its own.
template <class Real>
void ExactBlocks<Real>::bound_state(std::int32_t state, std::vector<double>& lower,
                                    std::vector<double>& upper) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const DecisionProcess<Real>& process = rows_.solved();
  double least = -infinity;
  double most = -infinity;
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const std::int64_t row = process.row(state, action);
    if (!process.is_allowed(row)) continue;
    const double reward = rows_.reward(row);
    // Beside 0: the state's own value is not known.
    const RowSum below = rows_.sum_beside(0, state, row, lower, reward);
    if (!below.leaves()) {
      if (reward > 0) most = infinity;
      continue;
    }
    least = std::max(least, below.solved_below());
    most = std::max(most, rows_.sum_beside(0, state, row, upper, reward).solved_above());
  }
  if (most == -infinity) return;  // what stays for nothing, or is terminal
  lower[static_cast<std::size_t>(state)] = std::isnan(least) ? -infinity : least;
  upper[static_cast<std::size_t>(state)] = std::isnan(most) ? infinity : most;
}

/// V = Q(V) by the policy's rows and V ≥ Q(V) by all others make V the optimum of policies that
/// end.
template <class Real>
void ExactBlocks<Real>::bound_policy(std::int64_t group, const std::vector<std::int32_t>& action,
                                     std::vector<double>& lower, std::vector<double>& upper) const {
  const DecisionProcess<Real>& process = rows_.solved();
  const RowRule rule;
  const PolicyElimination<Real> block =
      elimination_of(rule, group, most_work_[static_cast<std::size_t>(group)]);
  std::vector<double> least;
  std::vector<double> most;
  if (!block.bound(action, lower, upper, least, most)) return;
  for (std::size_t n = 0; n < least.size(); ++n) {
    lower[static_cast<std::size_t>(block.states()[n])] = least[n];
    upper[static_cast<std::size_t>(block.states()[n])] = most[n];
  }
  bool is_best = true;
  for (const std::int32_t state : block.states()) {
    const double own = lower[static_cast<std::size_t>(state)];
    for (std::int32_t one = 0; one < process.action_count; ++one) {
      const std::int64_t row = process.row(state, one);
      if (one == action[static_cast<std::size_t>(state)] || !process.is_allowed(row)) continue;
      is_best =
          is_best && rows_.sum_beside(own, state, row, upper, rows_.reward(row)).gain_above() <= 0;
    }
  }
  if (is_best) return;
  for (const std::int32_t state : block.states()) {
    upper[static_cast<std::size_t>(state)] = std::numeric_limits<double>::infinity();
  }
}

template <class Real>
void ExactBlocks<Real>::bound_exactly(const std::function<bool(std::int32_t)>& is_near,
                                      std::vector<std::int32_t>& action, std::vector<double>& lower,
                                      std::vector<double>& upper) const {
  double most_work = most_exact_work;
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    const std::int32_t* const first = order_.first(group);
    if (std::all_of(first, first + order_.size(group), is_near)) continue;
    if (order_.size(group) > most_exact_states) continue;
    if (order_.size(group) > 1) {
      bound_optimum(group, most_work, action, lower, upper);
      continue;
    }
    const auto s = static_cast<std::size_t>(*first);
    const double least = lower[s];
    const double most = upper[s];
    bound_state(*first, lower, upper);
    lower[s] = std::max(lower[s], least);
    upper[s] = std::min(upper[s], most);
  }
}

/// Of the rest of a sum both ends are monotonous: those of the values that a component leads to are
/// enough.
template <class Real>
void ExactBlocks<Real>::bound_optimum(std::int64_t group, double& most_work,
                                      std::vector<std::int32_t>& action, std::vector<double>& lower,
                                      std::vector<double>& upper) const {
  const RowRule rule;
  const PolicyElimination<Real> block = elimination_of(rule, group, 0);
  std::vector<std::int32_t> taken = action;
  if (!block.choose_ending_policy(taken)) return;
  ExactPolicies<Real> policies(rows_, block.states(), group_of_);
  typename ExactPolicies<Real>::Found found;
  const auto solve = [&](const std::vector<double>& outside, int side) {
    return policies.solve(outside, side, most_work, taken, found);
  };
  if (!solve(lower, -1)) return;
  for (std::size_t n = 0; n < found.lower.size(); ++n) {
    const auto s = static_cast<std::size_t>(block.states()[n]);
    lower[s] = std::max(lower[s], found.lower[n]);
    action[s] = taken[s];
  }
  if (!policies.is_same_beside(lower, upper) && !solve(upper, 1)) return;
  for (std::size_t n = 0; n < found.upper.size(); ++n) {
    const auto s = static_cast<std::size_t>(block.states()[n]);
    upper[s] = std::min(upper[s], found.upper[n]);
  }
}

template class ExactBlocks<float>;
template class ExactBlocks<double>;

}  // namespace tidewise::mdp

#include "mdp/interval/component_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"

namespace tidewise::mdp {
namespace {

// Multiplications of all components that are solved directly before anything is swept, those of
// least work first: some hundredths of a second for one policy of each.
constexpr double first_work = 3e7;
// Others are swept. After this number of transitions a direct solve is tried, which may take
// several times as much work: neither takes much longer than the better one.
constexpr double first_sweeps = 1e8;
constexpr double direct_share = 4;
constexpr int max_improvements = 200;
// Improvements end after some that raise values, on average, by no more than this share: actions of
// the same value would otherwise replace each other by rounding.
constexpr double least_rise = 1e-14;
constexpr int max_stalled = 5;
// In large components sweeps find most of a policy for less work than its improvements would.
constexpr std::int64_t many_states = 100;
constexpr std::int64_t few_sweeps = 100;
// Sweeps over the actions that are taken, after one over all actions that changed none of them.
constexpr int evaluations = 4;

/// Of the graph, in steps to the nearest end; the greatest number where there is none.
template <class Row, class Real>
std::vector<std::int32_t> distances_to_ends(const DecisionProcess<Real>& process) {
  const PredecessorRows<Row> predecessors(process);
  constexpr std::int32_t unreached = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> distance(static_cast<std::size_t>(process.state_count), unreached);
  std::vector<std::int32_t> reached;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (!is_end(process, state)) continue;
    distance[static_cast<std::size_t>(state)] = 0;
    reached.push_back(state);
  }
  for (std::size_t n = 0; n < reached.size(); ++n) {
    for (const Row row : predecessors.of(reached[n])) {
      const auto from = static_cast<std::int32_t>(std::int64_t(row) / process.action_count);
      std::int32_t& own = distance[static_cast<std::size_t>(from)];
      if (own != unreached) continue;
      own = distance[static_cast<std::size_t>(reached[n])] + 1;
      reached.push_back(from);
    }
  }
  return distance;
}

}  // namespace

template <class Real>
StateGroups in_sweep_order(const DecisionProcess<Real>& process) {
  StateGroups order = in_topological_order(process);
  const auto distance = rows_are_few(process) ? distances_to_ends<std::uint32_t>(process)
                                              : distances_to_ends<std::int64_t>(process);
  for (std::int64_t group = 0; group < order.count(); ++group) {
    std::stable_sort(order.states.begin() + order.begin[static_cast<std::size_t>(group)],
                     order.states.begin() + order.begin[static_cast<std::size_t>(group) + 1],
                     [&](std::int32_t one, std::int32_t other) {
                       return distance[static_cast<std::size_t>(one)] <
                              distance[static_cast<std::size_t>(other)];
                     });
  }
  return order;
}

template <class Real>
ComponentValues<Real>::ComponentValues(const RewardRows<Real>& rows, const StateGroups& order,
                                       std::function<void()> after_sweep)
    : rows_(rows),
      order_(order),
      after_sweep_(std::move(after_sweep)),
      group_of_(order.states.size()),
      max_work_(static_cast<std::size_t>(order.count()), 0) {
  for (std::int64_t group = 0; group < order.count(); ++group) {
    for (std::int64_t n = 0; n < order.size(group); ++n) {
      group_of_[static_cast<std::size_t>(order.first(group)[n])] = static_cast<std::int32_t>(group);
    }
  }
  std::vector<std::pair<double, std::int64_t>> work;
  for (std::int64_t group = 0; group < order.count(); ++group) {
    if (order.size(group) > 1) {
      work.emplace_back(policies_of(RowRule{}, group, first_work).estimate_work(), group);
    }
  }
  std::sort(work.begin(), work.end());
  double all = 0;
  for (const auto& [own, group] : work) {
    all += own;
    if (all > first_work) break;
    max_work_[static_cast<std::size_t>(group)] = first_work;
  }
}

template <class Real>
std::int32_t ComponentValues<Real>::largest_direct() const {
  std::int64_t largest = 1;
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    if (order_.size(group) == 1) continue;
    if (!(max_work_[static_cast<std::size_t>(group)] > 0)) return 0;
    largest = std::max(largest, order_.size(group));
  }
  return static_cast<std::int32_t>(largest);
}

template <class Real>
DirectPolicy<Real> ComponentValues<Real>::policies_of(const RowRule& rule, std::int64_t group,
                                                      double max_work) const {
  std::vector<std::int32_t> states(order_.first(group), order_.first(group) + order_.size(group));
  std::sort(states.begin(), states.end());
  return {rows_, rule, std::move(states), group_of_, max_work};
}

template <class Real>
void ComponentValues<Real>::solve(const RowRule& rule, double change, std::int64_t max_sweeps,
                                  TwoPartValues& values, std::vector<std::int32_t>& action) {
  values.rest.resize(values.value.size(), 0);
  for (std::int64_t group = 0; group < order_.count(); ++group) {
    if (order_.size(group) == 1) {
      const std::int32_t state = *order_.first(group);
      if (std::isnan(back_up(rule, state, Actions::all, values, action))) continue;
      const std::int64_t row = rows_.solved().row(state, action[static_cast<std::size_t>(state)]);
      const RowSum sum = rows_.sum(state, row, values, rule.reward(rows_, row));
      values.add(state, sum.gain / sum.leaving);
      continue;
    }
    double& max_work = max_work_[static_cast<std::size_t>(group)];
    if (max_work > 0 && order_.size(group) >= many_states) {
      sweep(rule, group, change, few_sweeps, values, action);
    }
    if (max_work > 0 && iterate_policies(rule, group, max_work, values, action)) continue;
    max_work = 0;
    sweep(rule, group, change, max_sweeps, values, action);
  }
  const bool is_plain =
      std::all_of(values.rest.begin(), values.rest.end(), [](double rest) { return rest == 0; });
  if (is_plain) values.rest.clear();
}

/// By how much the value changed; NaN where no action leads on.
template <class Real>
double ComponentValues<Real>::back_up(const RowRule& rule, std::int32_t state, Actions actions,
                                      TwoPartValues& values,
                                      std::vector<std::int32_t>& action) const {
  const DecisionProcess<Real>& process = rows_.solved();
  double best = -std::numeric_limits<double>::infinity();
  std::int32_t best_one = -1;
  const std::int32_t taken = action[static_cast<std::size_t>(state)];
  const bool is_one = actions == Actions::taken && taken >= 0;
  const std::int32_t end = is_one ? taken + 1 : process.action_count;
  for (std::int32_t one = is_one ? taken : 0; one < end; ++one) {
    const std::int64_t row = process.row(state, one);
    if (!process.is_allowed(row) || !rule.takes(row)) continue;
    const RowSum sum = rows_.rounded_sum(state, row, values.value, rule.reward(rows_, row));
    const double value = sum.solved();
    if (!sum.leaves() || !(value > best)) continue;
    best = value;
    best_one = one;
  }
  if (best_one < 0) return std::numeric_limits<double>::quiet_NaN();
  const double before = values.value[static_cast<std::size_t>(state)];
  values.set(state, best);
  action[static_cast<std::size_t>(state)] = best_one;
  return std::abs(best - before);
}

template <class Real>
void ComponentValues<Real>::sweep(const RowRule& rule, std::int64_t group, double change,
                                  std::int64_t max_sweeps, TwoPartValues& values,
                                  std::vector<std::int32_t>& action) {
  const DecisionProcess<Real>& process = rows_.solved();
  double entries = 0;
  for (std::int64_t n = 0; n < order_.size(group); ++n) {
    const std::int32_t state = order_.first(group)[n];
    entries +=
        static_cast<double>(process.row_begin[static_cast<std::size_t>(process.row(state + 1, 0))] -
                            process.row_begin[static_cast<std::size_t>(process.row(state, 0))]);
  }
  double work = 0;
  double next_direct = first_sweeps;
  double greatest = 0;
  std::int64_t sweeps = 0;
  do {
    greatest = 0;
    bool has_switched = false;
    for (std::int64_t n = 0; n < order_.size(group); ++n) {
      const std::int32_t state = order_.first(group)[n];
      const std::int32_t before = action[static_cast<std::size_t>(state)];
      const double moved = back_up(rule, state, Actions::all, values, action);
      if (moved > greatest) greatest = moved;
      has_switched = has_switched || action[static_cast<std::size_t>(state)] != before;
    }
    for (int n = 0; n < evaluations && !has_switched; ++n) {
      for (std::int64_t s = 0; s < order_.size(group); ++s) {
        (void)back_up(rule, order_.first(group)[s], Actions::taken, values, action);
      }
    }
    work += entries;
    after_sweep_();
    if (work < next_direct) continue;
    if (iterate_policies(rule, group, direct_share * work, values, action)) {
      max_work_[static_cast<std::size_t>(group)] = direct_share * work;
      return;
    }
    next_direct = 4 * work;
  } while (greatest >= change && ++sweeps < max_sweeps && std::isfinite(greatest));
}

/// Howard's policy iteration within a component, with γ = 1 from a policy that ends. False, and
/// values are as they were, where a policy could not be evaluated.
template <class Real>
bool ComponentValues<Real>::iterate_policies(const RowRule& rule, std::int64_t group,
                                             double max_work, TwoPartValues& values,
                                             std::vector<std::int32_t>& action) const {
  const DirectPolicy<Real> policies = policies_of(rule, group, max_work);
  const bool may_go_round = !(rows_.discount() < 1);
  if (may_go_round && !policies.choose_ending_policy(action)) return false;
  std::vector<double> before;
  for (const std::int32_t state : policies.states()) {
    before.push_back(values.value[static_cast<std::size_t>(state)]);
  }
  int stalled = 0;
  for (int improvement = 0; improvement < max_improvements; ++improvement) {
    if (!policies.evaluate(action, values)) {
      for (std::size_t n = 0; n < before.size(); ++n) values.set(policies.states()[n], before[n]);
      return false;
    }
    double rise = 0;
    for (std::size_t n = 0; n < before.size(); ++n) {
      const double value = values.value[static_cast<std::size_t>(policies.states()[n])];
      const double own = std::exchange(before[n], value);
      if (value != own) rise += (value - own) / std::abs(own);
    }
    if (improvement > 0 && !(rise > least_rise * static_cast<double>(before.size()))) ++stalled;
    if (stalled == max_stalled || !improve(rule, policies.states(), values, action)) break;
  }
  return true;
}

/// Takes actions that are better by more than rounding; whether there were any.
template <class Real>
bool ComponentValues<Real>::improve(const RowRule& rule, const std::vector<std::int32_t>& states,
                                    const TwoPartValues& values,
                                    std::vector<std::int32_t>& action) const {
  const DecisionProcess<Real>& process = rows_.solved();
  bool improved = false;
  for (const std::int32_t state : states) {
    std::int32_t& taken = action[static_cast<std::size_t>(state)];
    double best = 0;
    for (std::int32_t one = 0; one < process.action_count; ++one) {
      const std::int64_t row = process.row(state, one);
      if (!process.is_allowed(row) || !rule.takes(row)) continue;
      const RowSum sum = rows_.sum(state, row, values, rule.reward(rows_, row));
      if (!sum.leaves() || !(sum.gain_below() > 0)) continue;
      const double more = sum.gain / sum.leaving;
      if (more <= best) continue;
      best = more;
      improved = improved || one != taken;
      taken = one;
    }
  }
  return improved;
}

template StateGroups in_sweep_order(const DecisionProcess<float>&);
template StateGroups in_sweep_order(const DecisionProcess<double>&);
template class ComponentValues<float>;
template class ComponentValues<double>;

}  // namespace tidewise::mdp

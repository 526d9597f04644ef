#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"
#include "mdp/graph/strong_components.h"
#include "mdp/interval/direct_policy.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// in_topological_order() with the states of a component ordered by their distance to an end in the
/// graph, so that a sweep in place carries values as far from the ends as possible. Source: Dai,
/// Hansen, "Prioritizing Bellman backups without a priority queue", ICAPS 2007.
template <class Real>
StateGroups in_sweep_order(const DecisionProcess<Real>& process) {
  const PredecessorRows predecessors(process);
  constexpr std::int32_t unreached = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> distance(static_cast<std::size_t>(process.state_count), unreached);
  std::vector<std::int32_t> reached;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (!is_end(process, state)) continue;
    distance[state] = 0;
    reached.push_back(state);
  }
  for (std::size_t n = 0; n < reached.size(); ++n) {
    const std::int32_t next = distance[reached[n]] + 1;
    predecessors.for_rows(reached[n], [&](std::int64_t row) {
      const std::int32_t from = process.state_of(row);
      if (distance[from] != unreached) return;
      distance[from] = next;
      reached.push_back(from);
    });
  }
  StateGroups order = in_topological_order(process);
  for (std::int64_t group = 0; group < order.count(); ++group) {
    std::stable_sort(order.states.begin() + order.begin[group],
                     order.states.begin() + order.begin[group + 1],
                     [&](std::int32_t a, std::int32_t b) { return distance[a] < distance[b]; });
  }
  return order;
}

/// Finds values by strongly connected components, each after those that it leads to: by policy
/// iteration with direct solves if a factorisation is cheap, by sweeps in place otherwise. The
/// result is an estimate without bounds. Source: Dai, Mausam, Weld, Goldsmith, "Topological value
/// iteration algorithms", JAIR 42, 2011.
template <class Real>
class ComponentValues {
 public:
  /// Borrows both; `order` is in_sweep_order() of rows.solved(). after_sweep() is called for each
  /// sweep of a component, and may throw to end the work.
  ComponentValues(
      const RewardRows<Real>& rows, const StateGroups& order,
      std::function<void()> after_sweep = [] {})
      : rows_(rows),
        order_(order),
        after_sweep_(std::move(after_sweep)),
        group_of_(order.states.size()),
        max_work_(static_cast<std::size_t>(order.count()), 0) {
    std::vector<std::pair<double, std::int64_t>> work;
    for (std::int64_t group = 0; group < order.count(); ++group) {
      for (std::int64_t n = 0; n < order.size(group); ++n) {
        group_of_[order.first(group)[n]] = static_cast<std::int32_t>(group);
      }
    }
    for (std::int64_t group = 0; group < order.count(); ++group) {
      if (order.size(group) == 1) continue;
      work.emplace_back(policies_of(RowRule{}, group, first_work).estimate_work(), group);
    }
    std::sort(work.begin(), work.end());
    double total = 0;
    for (const auto& [estimate, group] : work) {
      total += estimate;
      if (total > first_work) break;
      max_work_[group] = first_work;
    }
  }

  /// Improves `values` and `action`, (state). Sweeps of a component end when one changes every
  /// value by less than `change`, or after `max_sweeps`.
  void solve(const RowRule& rule, double change, std::int64_t max_sweeps, TwoPartValues& values,
             std::vector<std::int32_t>& action) {
    values.rest.resize(values.value.size(), 0);
    for (std::int64_t group = 0; group < order_.count(); ++group) {
      if (order_.size(group) == 1) {
        const std::int32_t state = *order_.first(group);
        if (std::isnan(back_up(rule, state, Actions::all, values, action))) continue;
        const std::int64_t row = rows_.solved().row(state, action[state]);
        const RowSum sum = rows_.sum(state, row, values, rule.reward(rows_, row));
        values.add(state, sum.gain / sum.leaving);
        continue;
      }
      double& max_work = max_work_[group];
      if (max_work > 0 && order_.size(group) >= min_swept_states) {
        sweep(rule, group, change, preparing_sweeps, values, action);
      }
      if (max_work > 0 && iterate_policies(rule, group, max_work, values, action)) continue;
      max_work = 0;
      sweep(rule, group, change, max_sweeps, values, action);
    }
    const bool is_plain =
        std::all_of(values.rest.begin(), values.rest.end(), [](double rest) { return rest == 0; });
    if (is_plain) values.rest.clear();
  }

  /// Number of states of the largest component, at least 1, if all are solved directly; else 0.
  std::int32_t largest_direct() const {
    std::int64_t largest = 1;
    for (std::int64_t group = 0; group < order_.count(); ++group) {
      if (order_.size(group) == 1) continue;
      if (!(max_work_[group] > 0)) return 0;
      largest = std::max(largest, order_.size(group));
    }
    return static_cast<std::int32_t>(largest);
  }

 private:
  // Multiplications for components that are solved directly before any sweeps, cheapest first: some
  // hundredths of a second for one policy of each.
  static constexpr double first_work = 3e7;
  // The others are swept. After this number of transitions a direct solve is tried with several
  // times as much work, so that the total is not much more than that of the better method.
  static constexpr double first_sweeps = 1e8;
  static constexpr double direct_share = 4;
  static constexpr int max_improvements = 200;
  // Improvements end after several that raise values, on average, by at most this share, because
  // rounding could exchange actions of equal value for ever.
  static constexpr double min_rise = 1e-14;
  static constexpr int max_stalled = 5;
  // In large components sweeps find most of a policy with less work than its improvements.
  static constexpr std::int64_t min_swept_states = 100;
  static constexpr std::int64_t preparing_sweeps = 100;
  // Evaluation sweeps after a sweep over all actions that changed no action.
  static constexpr int evaluations = 4;

  enum class Actions { all, current };

  /// Returns the change of the value; NaN if no action leads on.
  double back_up(const RowRule& rule, std::int32_t state, Actions actions, TwoPartValues& values,
                 std::vector<std::int32_t>& action) const {
    const DecisionProcess<Real>& process = rows_.solved();
    double best = -std::numeric_limits<double>::infinity();
    std::int32_t best_action = -1;
    const auto consider = [&](std::int32_t candidate, std::int64_t row) {
      const RowSum sum = rows_.rounded_sum(state, row, values.value, rule.reward(rows_, row));
      const double value = sum.solved();
      if (!sum.leaves() || !(value > best)) return;
      best = value;
      best_action = candidate;
    };
    if (actions == Actions::current && action[state] >= 0) {
      const std::int64_t row = process.row(state, action[state]);
      if (process.is_allowed(row) && rule.selects(row)) consider(action[state], row);
    } else {
      rule.for_actions(rows_, state, consider);
    }
    if (best_action < 0) return std::numeric_limits<double>::quiet_NaN();
    const double previous = values.value[state];
    values.set(state, best);
    action[state] = best_action;
    return std::abs(best - previous);
  }

  void sweep(const RowRule& rule, std::int64_t group, double change, std::int64_t max_sweeps,
             TwoPartValues& values, std::vector<std::int32_t>& action) {
    const DecisionProcess<Real>& process = rows_.solved();
    const View<const std::int32_t> states(order_.first(group), order_.size(group));
    double entries = 0;
    for (const std::int32_t state : states) {
      entries += static_cast<double>(process.row_begin[process.row(state + 1, 0)] -
                                     process.row_begin[process.row(state, 0)]);
    }
    double work = 0;
    double next_direct = first_sweeps;
    double max = 0;
    std::int64_t sweeps = 0;
    do {
      max = 0;
      bool has_switched = false;
      for (const std::int32_t state : states) {
        const std::int32_t previous = action[state];
        const double value_change = back_up(rule, state, Actions::all, values, action);
        if (value_change > max) max = value_change;
        has_switched = has_switched || action[state] != previous;
      }
      for (int n = 0; n < evaluations && !has_switched; ++n) {
        for (const std::int32_t state : states) {
          (void)back_up(rule, state, Actions::current, values, action);
        }
      }
      work += entries;
      after_sweep_();
      if (work < next_direct) continue;
      if (iterate_policies(rule, group, direct_share * work, values, action)) {
        max_work_[group] = direct_share * work;
        return;
      }
      next_direct = 4 * work;
    } while (max >= change && ++sweeps < max_sweeps && std::isfinite(max));
  }

  DirectPolicy<Real> policies_of(const RowRule& rule, std::int64_t group, double max_work) const {
    std::vector<std::int32_t> states(order_.first(group), order_.first(group) + order_.size(group));
    std::sort(states.begin(), states.end());
    return {rows_, rule, std::move(states), group_of_, max_work};
  }

  /// Howard's policy iteration within a component; with γ = 1 from a policy that terminates.
  /// Returns false and leaves values unchanged if a policy could not be evaluated.
  bool iterate_policies(const RowRule& rule, std::int64_t group, double max_work,
                        TwoPartValues& values, std::vector<std::int32_t>& action) const {
    const DirectPolicy<Real> policies = policies_of(rule, group, max_work);
    const std::vector<std::int32_t>& states = policies.states();
    if (!(rows_.discount() < 1) && !policies.choose_ending_policy(action)) return false;
    std::vector<double> previous_values;
    for (const std::int32_t state : states) previous_values.push_back(values.value[state]);
    int stalled = 0;
    for (int improvement = 0; improvement < max_improvements; ++improvement) {
      if (!policies.evaluate(action, values)) {
        for (std::size_t n = 0; n < previous_values.size(); ++n)
          values.set(states[n], previous_values[n]);
        return false;
      }
      double rise = 0;
      for (std::size_t n = 0; n < previous_values.size(); ++n) {
        const double value = values.value[states[n]];
        const double previous = std::exchange(previous_values[n], value);
        if (value != previous) rise += (value - previous) / std::abs(previous);
      }
      if (improvement > 0 && !(rise > min_rise * static_cast<double>(previous_values.size())))
        ++stalled;
      if (stalled == max_stalled || !improve(rule, states, values, action)) break;
    }
    return true;
  }

  /// Takes actions that are better by more than rounding; true if there were any.
  bool improve(const RowRule& rule, const std::vector<std::int32_t>& states,
               const TwoPartValues& values, std::vector<std::int32_t>& action) const {
    bool improved = false;
    for (const std::int32_t state : states) {
      double best = 0;
      rule.for_actions(rows_, state, [&](std::int32_t candidate, std::int64_t row) {
        const RowSum sum = rows_.sum(state, row, values, rule.reward(rows_, row));
        if (!sum.leaves() || !(sum.gain_below() > 0)) return;
        const double increase = sum.gain / sum.leaving;
        if (increase <= best) return;
        best = increase;
        improved = improved || candidate != action[state];
        action[state] = candidate;
      });
    }
    return improved;
  }

  const RewardRows<Real>& rows_;
  const StateGroups& order_;
  std::function<void()> after_sweep_;
  std::vector<std::int32_t> group_of_;  // (state)
  std::vector<double> max_work_;  // (group): limit of a direct solve; 0: sweep the group first
};

}  // namespace tidewise::mdp

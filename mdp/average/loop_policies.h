#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/graph/end_components.h"
#include "mdp/graph/strong_components.h"
#include "mdp/interval/direct_policy.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// The maximal end components of a process.
struct Loops {
  std::vector<std::vector<std::int32_t>> states;  ///< states of each component, ascending
  std::vector<std::uint8_t> inside;               ///< (row): leads only to states of the component
};

/// Finds the maximal end components.
template <class Real>
Loops find_loops(const RewardRows<Real>& rows) {
  const DecisionProcess<Real>& process = rows.solved();
  const auto row_count = static_cast<std::size_t>(process.row_count());
  const EndComponents components =
      find_end_components(process, std::vector<std::uint8_t>(row_count, 1));
  Loops loops{{}, std::vector<std::uint8_t>(row_count, 0)};
  loops.states.resize(static_cast<std::size_t>(components.count));
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const std::int32_t component = components.of_state[state];
    if (component < 0) continue;
    loops.states[component].push_back(state);
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      bool is_inside = process.is_allowed(row);
      rows.for_entries(row, [&](std::int32_t to, double probability) {
        is_inside = is_inside && (!(probability > 0) || components.of_state[to] == component);
      });
      loops.inside[row] = is_inside ? 1 : 0;
    }
  }
  return loops;
}

/// Policies of one end component, in which each state can reach each other, and their average
/// reward per step. Source: Puterman, "Markov Decision Processes", 1994, section 9.5.
template <class Real>
class LoopPolicies {
 public:
  /// `states`: ascending. `inside`: (row), 1 if the row does not leave them. `scratch`: (state),
  /// −1. `rows`: with γ = 1. Borrows all except `states`.
  LoopPolicies(const RewardRows<Real>& rows, std::vector<std::int32_t> states,
               const std::vector<std::uint8_t>& inside, std::vector<std::int32_t>& scratch,
               StrongComponents<Real>& strong)
      : rows_(rows),
        process_(rows.solved()),
        states_(std::move(states)),
        inside_(inside),
        group_of_(scratch),
        strong_(strong) {}

  const std::vector<std::int32_t>& states() const { return states_; }

  /// Howard's policy iteration for communicating processes: sets `action` to the best policy and
  /// `bias`, in the states, to its relative value, both within rounding. `zeros`: (state), 0
  /// before and after. stop() is called after each evaluation and ends the iteration. False if a
  /// policy could not be evaluated.
  template <class Stop>
  bool find_best(std::vector<std::int32_t>& action, TwoPartValues& zeros, std::vector<double>& bias,
                 const Stop& stop) {
    for (const std::int32_t state : states_) {
      std::int32_t& first = action[state];
      for (first = 0; !is_inside(process_.row(state, first));) ++first;
    }
    for (int improvement = 0; improvement < max_loop_improvements; ++improvement) {
      if (!evaluate(action, zeros, bias)) return false;
      if (stop() || !improve(bias, action)) break;
    }
    return true;
  }

  /// Properties of the last policy that find_best() evaluated: best_class() is its closed class
  /// with the best average, and rewards() are the rewards until one state of that class is reached,
  /// (place in states()).
  const std::vector<std::int32_t>& best_class() const { return class_; }
  const std::vector<double>& rewards() const { return rewards_; }

  /// Calls take(state, action, row) for the rows that do not leave the component.
  template <class Take>
  void for_rows(const Take& take) const {
    for (const std::int32_t state : states_) {
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (is_inside(row)) take(state, action, row);
      }
    }
  }
  RowSum sum(std::int32_t state, std::int64_t row, const std::vector<double>& bias) const {
    return rows_.sum(state, row, bias, rows_.reward(row));
  }

 private:
  static constexpr double max_loop_work = 1e8;  // multiplications of a direct solve
  static constexpr int max_loop_improvements = 100;
  // Every state of a class is tried as home if the mean return time exceeds this number times the
  // number of states.
  static constexpr double max_return_steps = 1000;
  static constexpr double max_frequent_states = 100;
  // Multiple of a step's rounding error by which an action must be better.
  static constexpr double min_improvement = 4;

  bool is_inside(std::int64_t row) const { return inside_[row] != 0; }

  /// The closed classes of a policy.
  std::vector<std::vector<std::int32_t>> classes_of(const std::vector<std::int32_t>& action) {
    StateGroups groups;
    for (const std::int32_t state : states_) strong_.forget(state);
    strong_.find(
        states_.data(), states_.size(),
        [&](std::int64_t row) {
          const auto state = static_cast<std::int32_t>(row / process_.action_count);
          return process_.row(state, action[state]) == row;
        },
        groups);
    std::vector<std::vector<std::int32_t>> classes;
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      std::vector<std::int32_t> members(groups.first(group),
                                        groups.first(group) + groups.size(group));
      std::sort(members.begin(), members.end());
      bool closed = true;
      for (const std::int32_t state : members) {
        const std::int64_t row = process_.row(state, action[state]);
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          const bool is_member = std::binary_search(members.begin(), members.end(), to);
          closed = closed && (is_member || !(probability > 0));
        });
      }
      if (closed) classes.push_back(std::move(members));
    }
    return classes;
  }

  /// Reward and number of steps until the policy reaches `home` from each of `members` except home,
  /// (place in members), and from home itself.
  struct Return {
    double reward = 0;
    double steps = 0;
    std::vector<double> rewards = {};
    std::vector<double> times = {};
    double gain() const { return reward / steps; }
  };
  bool find_return(std::vector<std::int32_t> members, std::int32_t home, bool may_change,
                   std::vector<std::int32_t>& action, TwoPartValues& zeros, Return& result) {
    std::erase(members, home);
    const RowRule reward_rule{&inside_};
    const RowRule step_rule{&inside_, nullptr, true};
    for (const std::int32_t state : members) group_of_[state] = 0;
    bool is_found = true;
    if (!members.empty()) {
      const DirectPolicy<Real> rewards(rows_, reward_rule, members, group_of_, max_loop_work);
      const DirectPolicy<Real> steps(rows_, step_rule, members, group_of_, max_loop_work);
      is_found = !may_change || rewards.choose_ending_policy(action);
      is_found = is_found && evaluate_one(rewards, action, zeros, result.rewards) &&
                 evaluate_one(steps, action, zeros, result.times);
    }
    for (const std::int32_t state : members) group_of_[state] = -1;
    if (!is_found) return false;
    const std::int64_t row = process_.row(home, action[home]);
    double scale = 0;
    double reward = 0;
    double steps = 0;
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      scale += probability;
      const auto member = std::lower_bound(members.begin(), members.end(), to);
      if (member == members.end() || *member != to) return;
      const auto place = static_cast<std::size_t>(member - members.begin());
      reward += probability * result.rewards[place];
      steps += probability * result.times[place];
    });
    result.reward = rows_.reward(row) + reward / scale;
    result.steps = 1 + steps / scale;
    return std::isfinite(result.reward) && std::isfinite(result.steps);
  }

  /// Evaluates a policy. `result`: (place in the policy's states).
  static bool evaluate_one(const DirectPolicy<Real>& policy,
                           const std::vector<std::int32_t>& action, TwoPartValues& zeros,
                           std::vector<double>& result) {
    const bool is_found = policy.evaluate(action, zeros);
    result.clear();
    for (const std::int32_t state : policy.states()) {
      result.push_back(zeros.value[state]);
      zeros.set(state, 0);
    }
    return is_found;
  }

  /// The state of a small closed class with the shortest mean return time, if the first state's is
  /// long: with 10^12 steps until a return, rounding would hide the reward of a step. `around` is
  /// the Return of the first state, and is set to that of the result.
  std::int32_t find_frequent_state(const std::vector<std::int32_t>& members,
                                   std::vector<std::int32_t>& action, TwoPartValues& zeros,
                                   Return& around) {
    std::int32_t frequent = members.front();
    const auto size = static_cast<double>(members.size());
    if (size > max_frequent_states || around.steps <= max_return_steps * size) return frequent;
    for (const std::int32_t state : members) {
      Return other;
      if (!find_return(members, state, false, action, zeros, other)) continue;
      if (!(other.steps < around.steps)) continue;
      frequent = state;
      around = std::move(other);
    }
    return frequent;
  }

  /// Computes the bias of the policy, after changing it such that all states reach its best class.
  bool evaluate(std::vector<std::int32_t>& action, TwoPartValues& zeros,
                std::vector<double>& bias) {
    double best = -std::numeric_limits<double>::infinity();
    std::int32_t home = -1;
    for (const auto& members : classes_of(action)) {
      Return around;
      if (!find_return(members, members.front(), false, action, zeros, around)) return false;
      const std::int32_t frequent = find_frequent_state(members, action, zeros, around);
      if (around.gain() > best) {
        best = around.gain();
        home = frequent;
        class_ = members;
      }
    }
    Return overall;
    if (home < 0 || !find_return(states_, home, true, action, zeros, overall)) return false;
    rewards_.assign(states_.size(), 0);
    std::size_t place = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      double& state_bias = bias[states_[n]];
      state_bias = 0;
      if (states_[n] == home) continue;
      rewards_[n] = overall.rewards[place];
      state_bias = overall.rewards[place] - overall.gain() * overall.times[place];
      if (!std::isfinite(state_bias)) return false;
      ++place;
    }
    return true;
  }

  bool improve(const std::vector<double>& bias, std::vector<std::int32_t>& action) const {
    bool improved = false;
    for (const std::int32_t state : states_) {
      std::int32_t& chosen = action[state];
      const RowSum current = sum(state, process_.row(state, chosen), bias);
      double best = current.change() + min_improvement * current.error;
      const std::int32_t previous = chosen;
      for (std::int32_t candidate = 0; candidate < process_.action_count; ++candidate) {
        const std::int64_t row = process_.row(state, candidate);
        if (candidate == previous || !is_inside(row)) continue;
        const RowSum other = sum(state, row, bias);
        if (other.change() - min_improvement * other.error <= best) continue;
        best = other.change();
        chosen = candidate;
      }
      improved = improved || chosen != previous;
    }
    return improved;
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  std::vector<std::int32_t> states_;
  const std::vector<std::uint8_t>& inside_;
  std::vector<std::int32_t>& group_of_;
  StrongComponents<Real>& strong_;
  std::vector<std::int32_t> class_;  // the best closed class of the policy
  std::vector<double> rewards_;      // (place): until the policy reaches a state of that class
};

}  // namespace tidewise::mdp

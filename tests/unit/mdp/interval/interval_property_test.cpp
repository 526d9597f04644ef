#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/error.h"
#include "mdp/graph/process_ends.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using Exact = long double;
constexpr Exact unbounded = std::numeric_limits<Exact>::infinity();

/// Oracle for the optimum of a small process with γ = 1: evaluates every policy by elimination,
/// without sweeps and end components.
template <class Real>
class EveryPolicy {
 public:
  EveryPolicy(const DecisionProcess<Real>& process, Endings endings)
      : process_(process), endings_(endings), states_(std::size_t(process.state_count)) {}

  /// Returns the optimum (state): −∞ if no policy is admissible, +∞ if one gains without end.
  /// Returns nullopt if gains and losses cancel in a loop of some policy.
  std::optional<std::vector<Exact>> optimum() {
    best_.assign(states_, -unbounded);
    turnover_.assign(states_, 0);
    std::vector<std::int32_t> policy(states_, 0);
    if (!enumerate(policy, 0)) return std::nullopt;
    return best_;
  }

  /// Returns a bound of the rounding of optimum(), in which gains and losses may cancel.
  Exact rounding(std::size_t state) const { return 1e-17L * (1 + turnover_[state]); }

 private:
  /// Evaluates all choices of actions from `state` on. Returns false if gains and losses cancel.
  bool enumerate(std::vector<std::int32_t>& policy, std::size_t state) {
    if (state == states_) return evaluate(policy);
    const auto s = static_cast<std::int32_t>(state);
    if (is_end(process_, s)) {
      policy[state] = -1;
      return enumerate(policy, state + 1);
    }
    for (std::int32_t a = 0; a < process_.action_count; ++a) {
      if (!process_.is_allowed(process_.row(s, a))) continue;
      policy[state] = a;
      if (!enumerate(policy, state + 1)) return false;
    }
    return true;
  }

  Exact probability(std::int64_t row, std::size_t to) const {
    for (auto n = process_.row_begin[std::size_t(row)];
         n < process_.row_begin[std::size_t(row) + 1]; ++n) {
      if (process_.successor[std::size_t(n)] == std::int32_t(to)) {
        return process_.probability[std::size_t(n)];
      }
    }
    return 0;
  }
  Exact step(const std::vector<std::int32_t>& policy, std::size_t from, std::size_t to) const {
    if (policy[from] < 0) return from == to ? 1 : 0;
    return probability(process_.row(std::int32_t(from), policy[from]), to);
  }
  Exact reward(const std::vector<std::int32_t>& policy, std::size_t s) const {
    return policy[s] < 0 ? 0
                         : process_.reward[std::size_t(process_.row(std::int32_t(s), policy[s]))];
  }

  bool evaluate(const std::vector<std::int32_t>& policy) {
    std::vector<std::vector<bool>> is_reachable(states_, std::vector<bool>(states_, false));
    for (std::size_t s = 0; s < states_; ++s) {
      is_reachable[s][s] = true;
      for (std::size_t t = 0; t < states_; ++t)
        is_reachable[s][t] = is_reachable[s][t] || step(policy, s, t) > 0;
    }
    for (std::size_t k = 0; k < states_; ++k) {
      for (std::size_t s = 0; s < states_; ++s) {
        for (std::size_t t = 0; t < states_; ++t) {
          if (is_reachable[s][k] && is_reachable[k][t]) is_reachable[s][t] = true;
        }
      }
    }
    // Values of recurrent states.
    std::vector<std::optional<Exact>> fixed(states_);
    for (std::size_t s = 0; s < states_; ++s) {
      bool recurrent = true;
      for (std::size_t t = 0; t < states_; ++t)
        recurrent = recurrent && (!is_reachable[s][t] || is_reachable[t][s]);
      if (!recurrent) continue;
      if (policy[s] < 0) {
        const bool terminal = process_.is_terminal(std::int32_t(s));
        fixed[s] =
            terminal && !process_.initial_value.empty() ? Exact(process_.initial_value[s]) : 0;
        continue;
      }
      bool all_free = true;
      for (std::size_t t = 0; t < states_; ++t)
        all_free = all_free && (!is_reachable[s][t] || reward(policy, t) == 0);
      if (all_free) {
        fixed[s] = endings_ == Endings::free ? 0 : -unbounded;
        continue;
      }
      const Exact gain = gain_of(policy, is_reachable[s]);
      if (std::abs(gain) < 1e-12L) return false;
      fixed[s] = gain > 0 ? unbounded : -unbounded;
    }
    std::vector<std::size_t> unknown;
    for (std::size_t s = 0; s < states_; ++s) {
      if (!fixed[s]) unknown.push_back(s);
    }
    std::vector<std::vector<Exact>> transition;
    std::vector<Exact> leaving;
    std::vector<Exact> constant;
    for (const std::size_t s : unknown) {
      transition.emplace_back();
      for (const std::size_t t : unknown) transition.back().push_back(step(policy, s, t));
      Exact exit = 0;
      Exact value = reward(policy, s);
      for (std::size_t t = 0; t < states_; ++t) {
        if (!fixed[t]) continue;
        exit += step(policy, s, t);
        // With infinite ends of both signs the policy's value is undefined; the worse one counts.
        if (is_reachable[s][t] && !std::isfinite(double(*fixed[t]))) {
          value = value == -unbounded ? value : *fixed[t];
        }
        if (std::isfinite(double(*fixed[t]))) value += step(policy, s, t) * *fixed[t];
      }
      leaving.push_back(exit);
      constant.push_back(value);
    }
    const std::vector<Exact> finite = solve(transition, leaving, constant);
    std::vector<Exact> sizes = constant;
    for (Exact& size : sizes) size = std::abs(size);
    const std::vector<Exact> turnover = solve(transition, leaving, sizes);
    for (std::size_t n = 0; n < unknown.size(); ++n) {
      turnover_[unknown[n]] = std::max(turnover_[unknown[n]], turnover[n]);
    }
    for (std::size_t n = 0; n < unknown.size(); ++n) {
      fixed[unknown[n]] = std::isfinite(double(constant[n])) ? finite[n] : constant[n];
    }
    for (std::size_t s = 0; s < states_; ++s) best_[s] = std::max(best_[s], *fixed[s]);
    return true;
  }

  /// Returns the mean reward of a recurrent class, by its stationary distribution.
  Exact gain_of(const std::vector<std::int32_t>& policy, const std::vector<bool>& in_class) const {
    std::vector<std::size_t> members;
    for (std::size_t s = 0; s < states_; ++s) {
      if (in_class[s]) members.push_back(s);
    }
    const std::size_t n = members.size();
    std::vector<std::vector<Exact>> transition(n, std::vector<Exact>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) transition[i][j] = step(policy, members[i], members[j]);
    }
    for (std::size_t k = n; k-- > 1;) {
      Exact pivot = 0;
      for (std::size_t j = 0; j < k; ++j) pivot += transition[k][j];
      for (std::size_t i = 0; i < k; ++i) {
        transition[i][k] /= pivot;
        for (std::size_t j = 0; j < k; ++j) transition[i][j] += transition[i][k] * transition[k][j];
      }
    }
    std::vector<Exact> share(n, 1);
    for (std::size_t k = 1; k < n; ++k) {
      share[k] = 0;
      for (std::size_t i = 0; i < k; ++i) share[k] += share[i] * transition[i][k];
    }
    Exact total = 0;
    Exact gain = 0;
    for (std::size_t i = 0; i < n; ++i) {
      total += share[i];
      gain += share[i] * reward(policy, members[i]);
    }
    return gain / total;
  }

  /// Solves v = b + P v, where P is `transition` and `leaving` is 1 minus its row sums. Nothing is
  /// subtracted, so that no digit is lost if states are rarely left. Unknowns that lead to infinite
  /// ones are skipped.
  static std::vector<Exact> solve(std::vector<std::vector<Exact>> transition,
                                  std::vector<Exact> leaving, std::vector<Exact> b) {
    const std::size_t n = b.size();
    std::vector<Exact> pivot(n);
    for (Exact& exact : b) exact = std::isfinite(double(exact)) ? exact : 0;
    for (std::size_t k = n; k-- > 0;) {
      pivot[k] = leaving[k];
      for (std::size_t j = 0; j < k; ++j) pivot[k] += transition[k][j];
      for (std::size_t i = 0; i < k; ++i) {
        const Exact factor = transition[i][k] / pivot[k];
        for (std::size_t j = 0; j < k; ++j) transition[i][j] += factor * transition[k][j];
        leaving[i] += factor * leaving[k];
        b[i] += factor * b[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < k; ++j) b[k] += transition[k][j] * b[j];
      b[k] /= pivot[k];
    }
    return b;
  }

  const DecisionProcess<Real>& process_;
  Endings endings_;
  std::size_t states_;
  std::vector<Exact> best_;
  std::vector<Exact> turnover_;  // (state): largest sum of gains and losses of a policy
};

struct Count {
  int bounded = 0;
  int near = 0;
  int unbounded = 0;
  int refused = 0;
  int next_to_infinite = 0;  // states solved while others have infinite values
};

template <class Real>
void validate_process(const DecisionProcess<Real>& process, const SolveOptions& options,
                      test::Signs signs, Count& count) {
  const auto optimum = EveryPolicy<Real>(process, options.endings).optimum();
  SilentProgress progress;
  ProcessSolution<Real> solution;
  try {
    solution = solve_process(process, options, progress);
  } catch (const InputError&) {
    ++count.refused;
    return;
  } catch (const RunError&) {
    ++count.unbounded;
    return;
  }
  if (solution.lower.empty()) {
    ++count.unbounded;
    // Only an endless gain, or a loop that cancels, has no bound.
    bool finite = optimum.has_value();
    for (std::size_t s = 0; finite && s < optimum->size(); ++s) {
      finite = std::isfinite(double((*optimum)[s]));
    }
    EXPECT_FALSE(finite);
    return;
  }
  ++count.bounded;
  count.near += solution.is_within_tolerance ? 1 : 0;
  if (signs != test::Signs::both) {
    EXPECT_TRUE(solution.is_within_tolerance);
  }
  if (!optimum) return;  // the oracle has no answer
  for (std::size_t s = 0; s < optimum->size(); ++s) {
    const Exact exact = (*optimum)[s];
    if (std::isinf(solution.value[s])) {
      EXPECT_FALSE(std::isfinite(double(exact))) << s;
      EXPECT_EQ(solution.lower[s], -unbounded) << s;
      EXPECT_EQ(solution.upper[s], -unbounded) << s;
      EXPECT_EQ(solution.action[s], -1) << s;
      continue;
    }
    if (!solution.infinite.empty()) {
      if (!std::isfinite(double(exact)))
        continue;  // the oracle includes gaining loops that never end
      if (solution.action[s] >= 0) ++count.next_to_infinite;
    }
    const Exact slack = 1e-15L * (1 + std::abs(exact));  // error of the oracle
    EXPECT_LE(solution.lower[s], exact + slack) << s;
    EXPECT_GE(solution.upper[s], exact - slack) << s;
    const Exact error = exact - solution.value[s];
    EXPECT_LE(solution.bounds.lower, error + slack) << s;
    EXPECT_GE(solution.bounds.upper, error - slack) << s;
    EXPECT_LE(std::abs(error), 1e-4L + 1e-6L * std::abs(exact)) << s;
  }
}

template <class Real>
Count validate_processes(test::Signs signs, Method method) {
  std::mt19937 random(7 + unsigned(signs));
  Count count;
  for (int trial = 0; trial < 400; ++trial) {
    for (const Endings endings : {Endings::free, Endings::sure}) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << ", signs " << int(signs)
                                      << ", endings " << int(endings));
      const auto process = test::random_small_process<Real>(
          random, {.states = std::int32_t(2 + random() % 4), .actions = 3, .signs = signs});
      SolveOptions options({.method = method, .endings = endings});
      options.may_be_infinite = trial % 2 == 0;
      validate_process(process, options, signs, count);
      if (testing::Test::HasFailure()) return count;
    }
  }
  return count;
}

TEST(IntervalProperty, BoundsAreValid) {
  int next_to_infinite = 0;
  for (const auto method : {Method::value_iteration, Method::fused, Method::gauss_seidel,
                            Method::policy_iteration, Method::block_divided, Method::automatic}) {
    for (const auto signs :
         {test::Signs::none_negative, test::Signs::none_positive, test::Signs::both}) {
      const Count in_double = validate_processes<double>(signs, method);
      EXPECT_GT(in_double.bounded, 100);
      EXPECT_GT(in_double.near, in_double.bounded * 9 / 10);
      const Count in_float = validate_processes<float>(signs, method);
      EXPECT_GT(in_float.bounded, 100);
      next_to_infinite += in_double.next_to_infinite + in_float.next_to_infinite;
    }
  }
  EXPECT_GT(next_to_infinite, 20);
}

/// Gains and losses of a policy until it ends.
struct GainsAndLosses {
  Exact gains = 0;
  Exact losses = 0;
};

/// Returns gains and losses (state), or nullopt for states from which the policy may never end.
/// `policy` has a row for each state that is not terminal. Elimination without subtraction loses no
/// digit, even if a state is rarely left.
std::vector<std::optional<GainsAndLosses>> gains_and_losses(
    const DecisionProcess<double>& process, const std::vector<std::int64_t>& policy) {
  const std::size_t count = policy.size();
  std::vector<std::vector<Exact>> transition(count, std::vector<Exact>(count, 0));
  std::vector<GainsAndLosses> sums(count);
  std::vector<bool> is_end_state(count, false);
  for (std::size_t s = 0; s < count; ++s) {
    if (is_end(process, std::int32_t(s))) {
      is_end_state[s] = true;
      const double terminal_value = process.initial_value[s];
      (terminal_value > 0 ? sums[s].gains : sums[s].losses) = std::abs(terminal_value);
      continue;
    }
    const auto row = std::size_t(policy[s]);
    Exact sum = 0;
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      transition[s][std::size_t(process.successor[std::size_t(n)])] +=
          process.probability[std::size_t(n)];
      sum += process.probability[std::size_t(n)];
    }
    const Exact reward = sum * process.reward[row];
    (reward > 0 ? sums[s].gains : sums[s].losses) = std::abs(reward);
  }
  // The policy surely ends if every reachable state may reach an end.
  std::vector<bool> may_end = is_end_state;
  std::vector<bool> ends_surely(count, true);
  for (std::size_t round = 0; round < count; ++round) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t t = 0; t < count; ++t)
        may_end[s] = may_end[s] || (transition[s][t] > 0 && may_end[t]);
    }
  }
  for (std::size_t round = 0; round <= count; ++round) {
    for (std::size_t s = 0; s < count; ++s) {
      ends_surely[s] = ends_surely[s] && may_end[s];
      for (std::size_t t = 0; t < count; ++t) {
        ends_surely[s] = ends_surely[s] && (!(transition[s][t] > 0) || ends_surely[t]);
      }
    }
  }
  std::vector<std::size_t> unknown;
  for (std::size_t s = 0; s < count; ++s) {
    if (ends_surely[s] && !is_end_state[s]) unknown.push_back(s);
  }
  std::vector<Exact> pivot(count, 0);
  std::vector<bool> is_eliminated(count, false);
  const auto for_each_remaining = [&](const auto& function) {
    for (std::size_t t = 0; t < count; ++t) {
      if (!is_eliminated[t]) function(t);
    }
  };
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    const std::size_t eliminated = unknown[k];
    is_eliminated[eliminated] = true;
    for_each_remaining([&](std::size_t t) { pivot[eliminated] += transition[eliminated][t]; });
    for (std::size_t i = k + 1; i < unknown.size(); ++i) {
      const std::size_t from = unknown[i];
      const Exact factor = transition[from][eliminated] / pivot[eliminated];
      for_each_remaining([&](std::size_t t) {
        if (t != from) transition[from][t] += factor * transition[eliminated][t];
      });
      sums[from].gains += factor * sums[eliminated].gains;
      sums[from].losses += factor * sums[eliminated].losses;
    }
  }
  for (std::size_t k = unknown.size(); k-- > 0;) {
    const std::size_t s = unknown[k];
    for_each_remaining([&](std::size_t t) {
      sums[s].gains += transition[s][t] * sums[t].gains;
      sums[s].losses += transition[s][t] * sums[t].losses;
    });
    sums[s].gains /= pivot[s];
    sums[s].losses /= pivot[s];
    is_eliminated[s] = false;
  }
  std::vector<std::optional<GainsAndLosses>> result(count);
  for (std::size_t s = 0; s < count; ++s) {
    if (ends_surely[s]) result[s] = sums[s];
  }
  return result;
}

/// Returns a process whose rows lead on with probabilities 2^−k and otherwise to one state. The
/// last state is terminal.
DecisionProcess<double> rare_process(std::mt19937& random, test::Signs signs) {
  const auto states = std::int32_t(3 + random() % 4);
  std::vector<std::vector<test::Row>> rows(std::size_t(states) - 1);
  const bool never_free = random() % 2 == 0;
  for (auto& actions : rows) {
    for (auto remaining = 1 + random() % 2; remaining > 0; --remaining) {
      std::vector<std::pair<std::int32_t, double>> successors;
      double rest = 1;
      for (auto n = random() % 3; n > 0; --n) {
        const double rare = std::ldexp(1, -int(1 + random() % (random() % 2 == 0 ? 4 : 60)));
        if (rare >= rest) continue;
        successors.emplace_back(std::int32_t(random() % std::uint32_t(states)), rare);
        rest -= rare;
      }
      successors.emplace_back(std::int32_t(random() % std::uint32_t(states)), rest);
      double reward = !never_free && random() % 2 == 0 ? 0 : std::ldexp(1 + random() % 7, -2);
      const bool negative =
          signs == test::Signs::none_positive || (signs == test::Signs::both && random() % 2 == 0);
      actions.push_back(test::row(successors, negative ? -reward : reward));
    }
  }
  auto process = test::rows_process<double>(states, 2, rows);
  process.initial_value.assign(std::size_t(states), 0);
  process.initial_value.back() = signs == test::Signs::none_negative ? 1 : 0;
  return process;
}

TEST(IntervalProperty, BoundsAreValidForRareExits) {
  std::mt19937 random(17);
  int bounded = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto signs = std::array{test::Signs::none_negative, test::Signs::none_positive,
                                  test::Signs::both}[random() % 3];
    const auto process = rare_process(random, signs);
    const auto method = trial % 2 == 0 ? Method::automatic : Method::gauss_seidel;
    SilentProgress progress;
    ProcessSolution<double> solution;
    try {
      solution = solve_process(
          process, SolveOptions({.method = method, .endings = Endings::sure, .max_sweeps = 2000}),
          progress);
    } catch (const InputError&) {  // no policy surely terminates
      continue;
    }
    if (solution.lower.empty()) continue;
    ++bounded;
    std::vector<Exact> best(solution.lower.size(), -unbounded);
    std::vector<Exact> slack(best.size(), 0);
    const std::size_t decision_count = best.size() - 1;
    for (std::size_t policy_number = 0; policy_number < std::size_t{1} << decision_count;
         ++policy_number) {
      std::vector<std::int64_t> policy(best.size(), -1);
      for (std::size_t s = 0; s < decision_count; ++s) {
        policy[s] = process.row(std::int32_t(s), std::int32_t(policy_number >> s & 1));
        if (!process.is_allowed(policy[s])) policy[s] = process.row(std::int32_t(s), 0);
      }
      const auto result = gains_and_losses(process, policy);
      for (std::size_t s = 0; s < best.size(); ++s) {
        if (!result[s]) continue;
        best[s] = std::max(best[s], result[s]->gains - result[s]->losses);
        slack[s] = std::max(slack[s], 1e-17L * (result[s]->gains + result[s]->losses));
      }
    }
    for (std::size_t s = 0; s < best.size(); ++s) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << ", state " << s);
      EXPECT_LE(solution.lower[s], best[s] + slack[s]);
      EXPECT_GE(solution.upper[s], best[s] - slack[s]);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(bounded, 1600);
}

/// Returns a process whose rows lead on with 2^-30 or 2^-40 and otherwise to one or two states. The
/// last state is terminal.
DecisionProcess<double> loops_with_rare_exits(std::mt19937& random, test::Signs signs) {
  const auto below = [&](std::size_t count) { return std::int32_t(random() % count); };
  const std::size_t states = std::size_t(3 + below(4));
  std::vector<std::vector<test::Row>> rows(states - 1);
  for (auto& actions : rows) {
    for (int remaining = 1 + below(2); remaining > 0; --remaining) {
      std::vector<std::pair<std::int32_t, double>> successors;
      double rest = 1;
      if (below(3) > 0) {
        rest -= std::ldexp(1, below(2) == 0 ? -30 : -40);
        successors.emplace_back(below(states), 1 - rest);
      }
      if (below(3) == 0) {
        rest -= .25;
        successors.emplace_back(below(states), .25);
      }
      successors.emplace_back(below(states - 1), rest);
      const double reward = below(3);
      const bool negative =
          signs == test::Signs::none_positive || (signs == test::Signs::both && below(2) == 0);
      actions.push_back(test::row(successors, negative ? -reward : reward));
    }
  }
  auto process = test::rows_process<double>(std::int32_t(states), 2, rows);
  process.initial_value.assign(states, 0);
  process.initial_value.back() = 1;
  return process;
}

TEST(IntervalProperty, OnlyGainingLoopsAreEndlessForRareExits) {
  std::mt19937 random(11);
  int endless = 0;
  int solved = 0;
  int next_to_infinite = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const auto signs = std::array{test::Signs::none_negative, test::Signs::none_positive,
                                  test::Signs::both}[random() % 3];
    const auto process = loops_with_rare_exits(random, signs);
    EveryPolicy<double> policies(process, Endings::free);
    const auto optimum = policies.optimum();
    if (!optimum) continue;  // gains and losses of some loop cancel
    const auto is_infinite = [](Exact value) { return value == unbounded; };
    const bool has_infinite = std::any_of(optimum->begin(), optimum->end(), is_infinite);
    SilentProgress progress;
    SolveOptions options({.endings = Endings::free});
    options.may_be_infinite = true;
    const auto solution = solve_process(process, options, progress);
    EXPECT_EQ(solution.outcome == Outcome::endless, has_infinite);
    for (const std::int32_t state : solution.endless) {
      EXPECT_TRUE(is_infinite((*optimum)[std::size_t(state)])) << state;
    }
    endless += has_infinite ? 1 : 0;
    if (has_infinite) continue;
    ASSERT_TRUE(is_answer(solution.outcome));
    ++solved;
    next_to_infinite += solution.infinite.empty() ? 0 : 1;
    for (std::size_t s = 0; s < optimum->size(); ++s) {
      const Exact exact = (*optimum)[s];
      EXPECT_EQ(std::isfinite(solution.value[s]), std::isfinite(double(exact))) << s;
      if (!std::isfinite(double(exact))) continue;
      const Exact slack = policies.rounding(s);
      EXPECT_LE(solution.lower[s], exact + slack) << s;
      EXPECT_GE(solution.upper[s], exact - slack) << s;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(endless, 100);
  EXPECT_GT(solved, 500);
  EXPECT_GT(next_to_infinite, 100);
}

}  // namespace
}  // namespace tidewise::mdp

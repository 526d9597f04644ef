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

/// The optimum over all policies of a small process with γ = 1, each evaluated by elimination: an
/// oracle without sweeps and components.
template <class Real>
class EveryPolicy {
 public:
  EveryPolicy(const DecisionProcess<Real>& process, Endings endings)
      : process_(process), endings_(endings), states_(std::size_t(process.state_count)) {}

  /// (state); −∞ if no policy is admissible, +∞ if one gains without end. nullopt if gains and
  /// losses cancel in a loop of some policy.
  std::optional<std::vector<Exact>> optimum() {
    best_.assign(states_, -unbounded);
    moved_.assign(states_, 0);
    std::vector<std::int32_t> policy(states_, 0);
    if (!choose(policy, 0)) return std::nullopt;
    return best_;
  }

  /// Relative error of optimum(), because gains and losses may cancel.
  Exact rounding(std::size_t state) const { return 1e-17L * (1 + moved_[state]); }

 private:
  bool choose(std::vector<std::int32_t>& policy, std::size_t state) {
    if (state == states_) return take(policy);
    const auto s = static_cast<std::int32_t>(state);
    if (is_end(process_, s)) {
      policy[state] = -1;
      return choose(policy, state + 1);
    }
    for (std::int32_t a = 0; a < process_.action_count; ++a) {
      if (!process_.is_allowed(process_.row(s, a))) continue;
      policy[state] = a;
      if (!choose(policy, state + 1)) return false;
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

  bool take(const std::vector<std::int32_t>& policy) {
    std::vector<std::vector<bool>> reaches(states_, std::vector<bool>(states_, false));
    for (std::size_t s = 0; s < states_; ++s) {
      reaches[s][s] = true;
      for (std::size_t t = 0; t < states_; ++t)
        reaches[s][t] = reaches[s][t] || step(policy, s, t) > 0;
    }
    for (std::size_t k = 0; k < states_; ++k) {
      for (std::size_t s = 0; s < states_; ++s) {
        for (std::size_t t = 0; t < states_; ++t) {
          if (reaches[s][k] && reaches[k][t]) reaches[s][t] = true;
        }
      }
    }
    // Values of recurrent states.
    std::vector<std::optional<Exact>> fixed(states_);
    for (std::size_t s = 0; s < states_; ++s) {
      bool recurrent = true;
      for (std::size_t t = 0; t < states_; ++t)
        recurrent = recurrent && (!reaches[s][t] || reaches[t][s]);
      if (!recurrent) continue;
      if (policy[s] < 0) {
        const bool terminal = process_.is_terminal(std::int32_t(s));
        fixed[s] =
            terminal && !process_.initial_value.empty() ? Exact(process_.initial_value[s]) : 0;
        continue;
      }
      bool all_free = true;
      for (std::size_t t = 0; t < states_; ++t)
        all_free = all_free && (!reaches[s][t] || reward(policy, t) == 0);
      if (all_free) {
        fixed[s] = endings_ == Endings::free ? 0 : -unbounded;
        continue;
      }
      const Exact gain = gain_of(policy, reaches[s]);
      if (std::abs(gain) < 1e-12L) return false;
      fixed[s] = gain > 0 ? unbounded : -unbounded;
    }
    std::vector<std::size_t> unknown;
    for (std::size_t s = 0; s < states_; ++s) {
      if (!fixed[s]) unknown.push_back(s);
    }
    std::vector<std::vector<Exact>> leads;
    std::vector<Exact> leaves;
    std::vector<Exact> right;
    for (const std::size_t s : unknown) {
      leads.emplace_back();
      for (const std::size_t t : unknown) leads.back().push_back(step(policy, s, t));
      Exact left = 0;
      Exact value = reward(policy, s);
      for (std::size_t t = 0; t < states_; ++t) {
        if (!fixed[t]) continue;
        left += step(policy, s, t);
        // With infinite ends of both signs the policy's value is undefined; the worse one counts.
        if (reaches[s][t] && !std::isfinite(double(*fixed[t]))) {
          value = value == -unbounded ? value : *fixed[t];
        }
        if (std::isfinite(double(*fixed[t]))) value += step(policy, s, t) * *fixed[t];
      }
      leaves.push_back(left);
      right.push_back(value);
    }
    const std::vector<Exact> finite = solve(leads, leaves, right);
    std::vector<Exact> sizes = right;
    for (Exact& size : sizes) size = std::abs(size);
    const std::vector<Exact> moved = solve(leads, leaves, sizes);
    for (std::size_t n = 0; n < unknown.size(); ++n) {
      moved_[unknown[n]] = std::max(moved_[unknown[n]], moved[n]);
    }
    for (std::size_t n = 0; n < unknown.size(); ++n) {
      fixed[unknown[n]] = std::isfinite(double(right[n])) ? finite[n] : right[n];
    }
    for (std::size_t s = 0; s < states_; ++s) best_[s] = std::max(best_[s], *fixed[s]);
    return true;
  }

  /// The mean reward of a recurrent class, by its stationary distribution.
  Exact gain_of(const std::vector<std::int32_t>& policy, const std::vector<bool>& in) const {
    std::vector<std::size_t> members;
    for (std::size_t s = 0; s < states_; ++s) {
      if (in[s]) members.push_back(s);
    }
    const std::size_t n = members.size();
    std::vector<std::vector<Exact>> leads(n, std::vector<Exact>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) leads[i][j] = step(policy, members[i], members[j]);
    }
    for (std::size_t k = n; k-- > 1;) {
      Exact pivot = 0;
      for (std::size_t j = 0; j < k; ++j) pivot += leads[k][j];
      for (std::size_t i = 0; i < k; ++i) {
        leads[i][k] /= pivot;
        for (std::size_t j = 0; j < k; ++j) leads[i][j] += leads[i][k] * leads[k][j];
      }
    }
    std::vector<Exact> share(n, 1);
    for (std::size_t k = 1; k < n; ++k) {
      share[k] = 0;
      for (std::size_t i = 0; i < k; ++i) share[k] += share[i] * leads[i][k];
    }
    Exact all = 0;
    Exact gain = 0;
    for (std::size_t i = 0; i < n; ++i) {
      all += share[i];
      gain += share[i] * reward(policy, members[i]);
    }
    return gain / all;
  }

  /// v = b + P v, where `leaves` is 1 minus the row sums of P. Nothing is subtracted, so that no
  /// digit is lost if states are rarely left. Unknowns that lead to infinite ones are skipped.
  static std::vector<Exact> solve(std::vector<std::vector<Exact>> leads, std::vector<Exact> leaves,
                                  std::vector<Exact> b) {
    const std::size_t n = b.size();
    std::vector<Exact> pivot(n);
    for (Exact& exact : b) exact = std::isfinite(double(exact)) ? exact : 0;
    for (std::size_t k = n; k-- > 0;) {
      pivot[k] = leaves[k];
      for (std::size_t j = 0; j < k; ++j) pivot[k] += leads[k][j];
      for (std::size_t i = 0; i < k; ++i) {
        const Exact factor = leads[i][k] / pivot[k];
        for (std::size_t j = 0; j < k; ++j) leads[i][j] += factor * leads[k][j];
        leaves[i] += factor * leaves[k];
        b[i] += factor * b[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < k; ++j) b[k] += leads[k][j] * b[j];
      b[k] /= pivot[k];
    }
    return b;
  }

  const DecisionProcess<Real>& process_;
  Endings endings_;
  std::size_t states_;
  std::vector<Exact> best_;
  std::vector<Exact> moved_;  // (state): largest sum of gains and losses of a policy
};

struct Count {
  int bounded = 0;
  int near = 0;
  int unbounded = 0;
  int refused = 0;
  int beside_infinite = 0;  // states solved while others have infinite values
};

template <class Real>
void validate_one(const DecisionProcess<Real>& process, const SolveOptions& options,
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
  if (!optimum) return;  // bounds are for terminating policies; the oracle stopped
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
      if (solution.action[s] >= 0) ++count.beside_infinite;
    }
    const Exact slack = 1e-15L * (1 + std::abs(exact));  // error of the oracle
    EXPECT_LE(solution.lower[s], exact + slack) << s;
    EXPECT_GE(solution.upper[s], exact - slack) << s;
    const Exact off = exact - solution.value[s];
    EXPECT_LE(solution.bounds.lower, off + slack) << s;
    EXPECT_GE(solution.bounds.upper, off - slack) << s;
    EXPECT_LE(std::abs(off), 1e-4L + 1e-6L * std::abs(exact)) << s;
  }
}

template <class Real>
Count validate_many(test::Signs signs, Method method) {
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
      validate_one(process, options, signs, count);
      if (testing::Test::HasFailure()) return count;
    }
  }
  return count;
}

TEST(IntervalProperty, BoundsAreValid) {
  int beside_infinite = 0;
  for (const auto method : {Method::value_iteration, Method::fused, Method::gauss_seidel,
                            Method::policy_iteration, Method::block_divided, Method::automatic}) {
    for (const auto signs :
         {test::Signs::none_negative, test::Signs::none_positive, test::Signs::both}) {
      const Count in_double = validate_many<double>(signs, method);
      EXPECT_GT(in_double.bounded, 100);
      EXPECT_GT(in_double.near, in_double.bounded * 9 / 10);
      const Count in_float = validate_many<float>(signs, method);
      EXPECT_GT(in_float.bounded, 100);
      beside_infinite += in_double.beside_infinite + in_float.beside_infinite;
    }
  }
  EXPECT_GT(beside_infinite, 20);
}

/// Gains and losses of a policy until it ends, by elimination without subtraction in extended
/// precision, which loses no digit however rarely a state is left.
struct Worth {
  Exact gains = 0;
  Exact losses = 0;
};

/// (state); nullopt for states from which the policy need not end. `policy`: a row of each state
/// that is not terminal.
std::vector<std::optional<Worth>> worth_until_end(const DecisionProcess<double>& process,
                                                  const std::vector<std::int64_t>& policy) {
  const std::size_t count = policy.size();
  std::vector<std::vector<Exact>> leads(count, std::vector<Exact>(count, 0));
  std::vector<Worth> brings(count);
  std::vector<bool> ends(count, false);
  for (std::size_t s = 0; s < count; ++s) {
    if (is_end(process, std::int32_t(s))) {
      ends[s] = true;
      const double end = process.initial_value[s];
      (end > 0 ? brings[s].gains : brings[s].losses) = std::abs(end);
      continue;
    }
    const auto row = std::size_t(policy[s]);
    Exact sum = 0;
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      leads[s][std::size_t(process.successor[std::size_t(n)])] +=
          process.probability[std::size_t(n)];
      sum += process.probability[std::size_t(n)];
    }
    const Exact reward = sum * process.reward[row];
    (reward > 0 ? brings[s].gains : brings[s].losses) = std::abs(reward);
  }
  // Terminates surely if every reachable state may reach an end.
  std::vector<bool> may = ends;
  std::vector<bool> surely(count, true);
  for (std::size_t round = 0; round < count; ++round) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t t = 0; t < count; ++t) may[s] = may[s] || (leads[s][t] > 0 && may[t]);
    }
  }
  for (std::size_t round = 0; round <= count; ++round) {
    for (std::size_t s = 0; s < count; ++s) {
      surely[s] = surely[s] && may[s];
      for (std::size_t t = 0; t < count; ++t) {
        surely[s] = surely[s] && (!(leads[s][t] > 0) || surely[t]);
      }
    }
  }
  std::vector<std::size_t> left;
  for (std::size_t s = 0; s < count; ++s) {
    if (surely[s] && !ends[s]) left.push_back(s);
  }
  std::vector<Exact> pivot(count, 0);
  std::vector<bool> is_gone(count, false);
  const auto for_others = [&](const auto& take) {
    for (std::size_t t = 0; t < count; ++t) {
      if (!is_gone[t]) take(t);
    }
  };
  for (std::size_t k = 0; k < left.size(); ++k) {
    const std::size_t through = left[k];
    is_gone[through] = true;
    for_others([&](std::size_t t) { pivot[through] += leads[through][t]; });
    for (std::size_t i = k + 1; i < left.size(); ++i) {
      const std::size_t from = left[i];
      const Exact factor = leads[from][through] / pivot[through];
      for_others([&](std::size_t t) {
        if (t != from) leads[from][t] += factor * leads[through][t];
      });
      brings[from].gains += factor * brings[through].gains;
      brings[from].losses += factor * brings[through].losses;
    }
  }
  for (std::size_t k = left.size(); k-- > 0;) {
    const std::size_t s = left[k];
    for_others([&](std::size_t t) {
      brings[s].gains += leads[s][t] * brings[t].gains;
      brings[s].losses += leads[s][t] * brings[t].losses;
    });
    brings[s].gains /= pivot[s];
    brings[s].losses /= pivot[s];
    is_gone[s] = false;
  }
  std::vector<std::optional<Worth>> worth(count);
  for (std::size_t s = 0; s < count; ++s) {
    if (surely[s]) worth[s] = brings[s];
  }
  return worth;
}

/// Rows that lead on with 2^−k, and else to one state; the last state is terminal.
DecisionProcess<double> rare_process(std::mt19937& random, test::Signs signs) {
  const auto states = std::int32_t(3 + random() % 4);
  std::vector<std::vector<test::Row>> rows(std::size_t(states) - 1);
  const bool costs_all = random() % 2 == 0;
  for (auto& actions : rows) {
    for (auto left = 1 + random() % 2; left > 0; --left) {
      std::vector<std::pair<std::int32_t, double>> to;
      double rest = 1;
      for (auto n = random() % 3; n > 0; --n) {
        const double rare = std::ldexp(1, -int(1 + random() % (random() % 2 == 0 ? 4 : 60)));
        if (rare >= rest) continue;
        to.emplace_back(std::int32_t(random() % std::uint32_t(states)), rare);
        rest -= rare;
      }
      to.emplace_back(std::int32_t(random() % std::uint32_t(states)), rest);
      double reward = !costs_all && random() % 2 == 0 ? 0 : std::ldexp(1 + random() % 7, -2);
      const bool negative =
          signs == test::Signs::none_positive || (signs == test::Signs::both && random() % 2 == 0);
      actions.push_back(test::row(to, negative ? -reward : reward));
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
    const std::size_t goes_on = best.size() - 1;
    for (std::size_t code = 0; code < std::size_t{1} << goes_on; ++code) {
      std::vector<std::int64_t> policy(best.size(), -1);
      for (std::size_t s = 0; s < goes_on; ++s) {
        policy[s] = process.row(std::int32_t(s), std::int32_t(code >> s & 1));
        if (!process.is_allowed(policy[s])) policy[s] = process.row(std::int32_t(s), 0);
      }
      const auto worth = worth_until_end(process, policy);
      for (std::size_t s = 0; s < best.size(); ++s) {
        if (!worth[s]) continue;
        best[s] = std::max(best[s], worth[s]->gains - worth[s]->losses);
        slack[s] = std::max(slack[s], 1e-17L * (worth[s]->gains + worth[s]->losses));
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

/// Rows that lead on with 2^-30 or 2^-40, and else to one or two states; the last state is
/// terminal.
DecisionProcess<double> loops_beside_rare_exits(std::mt19937& random, test::Signs signs) {
  const auto below = [&](std::size_t count) { return std::int32_t(random() % count); };
  const std::size_t states = std::size_t(3 + below(4));
  std::vector<std::vector<test::Row>> rows(states - 1);
  for (auto& actions : rows) {
    for (int left = 1 + below(2); left > 0; --left) {
      std::vector<std::pair<std::int32_t, double>> to;
      double rest = 1;
      if (below(3) > 0) {
        rest -= std::ldexp(1, below(2) == 0 ? -30 : -40);
        to.emplace_back(below(states), 1 - rest);
      }
      if (below(3) == 0) {
        rest -= .25;
        to.emplace_back(below(states), .25);
      }
      to.emplace_back(below(states - 1), rest);
      const double reward = below(3);
      const bool negative =
          signs == test::Signs::none_positive || (signs == test::Signs::both && below(2) == 0);
      actions.push_back(test::row(to, negative ? -reward : reward));
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
  int beside_infinite = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const auto signs = std::array{test::Signs::none_negative, test::Signs::none_positive,
                                  test::Signs::both}[random() % 3];
    const auto process = loops_beside_rare_exits(random, signs);
    EveryPolicy<double> policies(process, Endings::free);
    const auto optimum = policies.optimum();
    if (!optimum) continue;  // gains and losses of some loop cancel
    const auto is_infinite = [](Exact value) { return value == unbounded; };
    const bool gains = std::any_of(optimum->begin(), optimum->end(), is_infinite);
    SilentProgress progress;
    SolveOptions options({.endings = Endings::free});
    options.may_be_infinite = true;
    const auto solution = solve_process(process, options, progress);
    EXPECT_EQ(solution.outcome == Outcome::endless, gains);
    for (const std::int32_t state : solution.endless) {
      EXPECT_TRUE(is_infinite((*optimum)[std::size_t(state)])) << state;
    }
    endless += gains ? 1 : 0;
    if (gains) continue;
    ASSERT_TRUE(is_answer(solution.outcome));
    ++solved;
    beside_infinite += solution.infinite.empty() ? 0 : 1;
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
  EXPECT_GT(beside_infinite, 100);
}

}  // namespace
}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/interval/reward_rows.h"
#include "mdp/interval/row_rule.h"
#include "mdp/interval/state_elimination.h"

namespace tidewise::mdp {

/// Evaluates policies of a strongly connected component exactly, but for rounding: the values that
/// solve v = r + γ P v, those of other states being given (state_elimination.h). A pivot is not
/// 1 − p but the sum of what leaves, so that nothing is subtracted anywhere, and how long values
/// are kept waiting, or how seldom a state is left, costs no digit. Source: Grassmann, Taksar,
/// Heyman, "Regenerative analysis and steady state distributions for Markov chains", Operations
/// Research 33, 1985; O'Cinneide, "Entrywise perturbation theory and error analysis for Markov
/// chains", Numerische Mathematik 65, 1993. bound() takes the matrix-tree theorem for it: what a
/// chain of n states is worth is a quotient of sums of products of at most n of its numbers, all
/// positive, so that errors of these by a share ε make one of 2 n ε.
template <class Real>
class PolicyElimination {
 public:
  /// `states`: ascending; `group_of`, (state), tells them from others. `most_work`:
  /// multiplications for a policy. Borrows all but `states`.
  PolicyElimination(const RewardRows<Real>& rows, const RowRule& rule,
                    std::vector<std::int32_t> states, const std::vector<std::int32_t>& group_of,
                    double most_work)
      : rows_(rows),
        rule_(rule),
        states_(std::move(states)),
        group_of_(group_of),
        group_(group_of[static_cast<std::size_t>(states_[0])]),
        most_work_(most_work) {}

  const std::vector<std::int32_t>& states() const { return states_; }

  /// The multiplications for a policy that would take all rows at once, so that any one hardly
  /// takes more; infinite where these are more than most_work.
  double work() const {
    const DecisionProcess<Real>& process = rows_.solved();
    StateElimination<0> all(states_.size(), false);
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const std::int64_t first = process.row(states_[n], 0);
      const std::int64_t end = process.row(states_[n] + 1, 0);
      // Numbers are of no account, but stay finite.
      const auto entries = process.row_begin[static_cast<std::size_t>(end)] -
                           process.row_begin[static_cast<std::size_t>(first)];
      all.leaving[n] = 1;
      for (std::int64_t row = first; row < end; ++row) {
        if (!process.is_allowed(row) || !rule_.takes(row)) continue;
        rows_.for_entries(row, [&](std::int32_t to, double) {
          const std::int32_t place = place_of(to);
          if (place != out) {
            all.add(static_cast<std::int32_t>(n), place, 1 / static_cast<double>(entries));
          }
        });
      }
    }
    return all.solve(most_work_) ? all.work() : std::numeric_limits<double>::infinity();
  }

  /// Lets `action`, (state), lead out of the component from each of its states, by those that it
  /// holds where they do; whether that can be.
  bool choose_ending_policy(std::vector<std::int32_t>& action) const {
    std::vector<std::uint8_t> ends(states_.size(), 0);
    std::vector<std::int32_t> reached;
    const auto reach = [&](const Way& way) {
      if (ends[static_cast<std::size_t>(way.from)] != 0) return;
      ends[static_cast<std::size_t>(way.from)] = 1;
      action[static_cast<std::size_t>(states_[static_cast<std::size_t>(way.from)])] = way.action;
      reached.push_back(way.from);
    };
    for (const bool keep : {true, false}) {
      const std::vector<Way> ways = list_ways(keep ? &action : nullptr);
      const auto follow = [&](std::int32_t to) {
        const auto before = [](const Way& way, std::int32_t place) { return way.to < place; };
        auto way = std::lower_bound(ways.begin(), ways.end(), to, before);
        for (; way != ways.end() && way->to == to; ++way) reach(*way);
      };
      const std::vector<std::int32_t> before = std::exchange(reached, {});
      follow(out);
      for (const std::int32_t place : before) follow(place);
      for (std::size_t n = 0; n < reached.size(); ++n) follow(reached[n]);
      reached.insert(reached.end(), before.begin(), before.end());
      if (reached.size() == states_.size()) return true;
    }
    return false;
  }

  /// `found`: (place in the component). False where the policy goes round for ever, needs too much
  /// work, or a number leaves the range of double precision.
  bool evaluate(const std::vector<std::int32_t>& action, const std::vector<double>& value,
                std::vector<double>& found) const {
    StateElimination<1> chain(states_.size(), false);
    fill(action, chain);
    const DecisionProcess<Real>& process = rows_.solved();
    found.resize(states_.size());
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const std::int64_t row =
          process.row(states_[n], action[static_cast<std::size_t>(states_[n])]);
      double scale = 0;
      double outside = 0;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        scale += probability;
        if (place_of(to) != out) return;
        outside = std::fma(probability, value[static_cast<std::size_t>(to)], outside);
      });
      chain.right[n][0] =
          scale * (rule_.steps ? 1 : rows_.reward(row)) + rows_.discount() * outside;
    }
    if (!chain.solve(most_work_)) return false;
    for (std::size_t n = 0; n < found.size(); ++n) found[n] = chain.right[n][0];
    return true;
  }

  /// Bounds of the same, where other states' values lie between `lower` and `upper`, (state):
  /// `found_lower` and `found_upper`, (place). False where there are none.
  bool bound(const std::vector<std::int32_t>& action, const std::vector<double>& lower,
             const std::vector<double>& upper, std::vector<double>& found_lower,
             std::vector<double>& found_upper) const {
    StateElimination<parts> chain(states_.size(), true);
    fill(action, chain);
    const std::int64_t longest = fill_parts(action, lower, upper, chain.right);
    if (longest < 0 || !chain.solve(most_work_)) return false;
    const std::vector<std::int32_t>& order = chain.order();
    const auto left_from = [&](std::size_t n) { return static_cast<double>(order.size() - n); };
    std::vector<double> error(states_.size());  // at first of the equations, as a share
    double wrong = 2 * left_from(0) * share_of(longest);
    for (std::size_t n = 0; n < order.size(); ++n) {
      error[static_cast<std::size_t>(order[n])] = wrong;
      wrong += 2 * left_from(n) * share_of(chain.entries_of(order[n]));
    }
    double later = 0;
    for (std::size_t n = order.size(); n-- > 0;) {
      double& one = error[static_cast<std::size_t>(order[n])];
      later += 2 * one + share_of(chain.entries_of(order[n]));
      one = later;
    }
    constexpr double most_error = .01;  // what is small beside 1 is first-order
    if (!(later < most_error)) return false;
    found_lower.resize(states_.size());
    found_upper.resize(states_.size());
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const double share = 1.1 * error[n];
      const Parts& is = chain.right[n];
      found_lower[n] = below_all(is[0] * (1 - share), is[1] * (1 + share));
      found_upper[n] = -below_all(is[3] * (1 - share), is[2] * (1 + share));
    }
    return true;
  }

 private:
  /// Gains and losses of `lower`, then those of `upper`: none is negative.
  static constexpr std::size_t parts = 4;
  using Parts = std::array<double, parts>;

  /// Of a sum of so many products that were rounded before, and of a few roundings more.
  static double share_of(std::int64_t terms) {
    return static_cast<double>(terms + 8) * std::numeric_limits<double>::epsilon() / 2;
  }
  static double below_all(double gains, double losses) {
    if (gains + losses == 0) return 0;  // nothing was lost on the way to it
    const double rest = gains - losses;
    constexpr double unit = std::numeric_limits<double>::epsilon();
    return rest - 4 * unit * (gains + losses) - std::numeric_limits<double>::denorm_min();
  }

  /// What comes from outside and of rewards; the entries of the longest row, or −1 where a product
  /// is too small.
  std::int64_t fill_parts(const std::vector<std::int32_t>& action, const std::vector<double>& lower,
                          const std::vector<double>& upper, std::vector<Parts>& found) const {
    const DecisionProcess<Real>& process = rows_.solved();
    const double discount = rows_.discount();
    std::int64_t longest = 0;
    bool is_sound = true;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const std::int64_t row =
          process.row(states_[n], action[static_cast<std::size_t>(states_[n])]);
      Parts own{};
      const auto add = [&](std::size_t part, double number) {
        own[number > 0 ? part : part + 1] += std::abs(number);
      };
      double scale = 0;
      std::int64_t entries = 0;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        scale += probability;
        ++entries;
        if (place_of(to) != out || !(probability > 0)) return;
        const double least = lower[static_cast<std::size_t>(to)];
        const double most = upper[static_cast<std::size_t>(to)];
        add(0, discount * probability * least);
        add(2, discount * probability * most);
        is_sound = is_sound &&
                   !StateElimination<parts>::is_lost(discount * probability * least, least) &&
                   !StateElimination<parts>::is_lost(discount * probability * most, most);
      });
      const double reward = rows_.reward(row);
      const double wrong = rows_.reward_error(row);
      add(0, scale * (reward - wrong));
      add(2, scale * (reward + wrong));
      longest = std::max(longest, entries);
      found[n] = own;
    }
    return is_sound ? longest : -1;
  }

  static constexpr std::int32_t out = -1;  // in place of a place: not in the component

  /// An action may lead from one place to another.
  struct Way {
    std::int32_t to;
    std::int32_t from;
    std::int32_t action;
    auto operator<=>(const Way&) const = default;
  };

  std::int32_t place_of(std::int32_t state) const {
    if (group_of_[static_cast<std::size_t>(state)] != group_) return out;
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }

  /// By where they lead to; of all rows, or of a policy's.
  std::vector<Way> list_ways(const std::vector<std::int32_t>* policy) const {
    const DecisionProcess<Real>& process = rows_.solved();
    std::vector<Way> ways;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for (std::int32_t action = 0; action < process.action_count; ++action) {
        const std::int64_t row = process.row(states_[n], action);
        if (!process.is_allowed(row) || !rule_.takes(row)) continue;
        if (policy != nullptr && (*policy)[static_cast<std::size_t>(states_[n])] != action)
          continue;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          if (probability > 0) {
            ways.push_back({place_of(to), static_cast<std::int32_t>(n), action});
          }
        });
      }
    }
    std::sort(ways.begin(), ways.end());
    return ways;
  }

  /// Equations are those of RowSum, times their rows' sums.
  template <std::size_t Count>
  void fill(const std::vector<std::int32_t>& action, StateElimination<Count>& chain) const {
    const DecisionProcess<Real>& process = rows_.solved();
    const double discount = rows_.discount();
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const std::int64_t row =
          process.row(states_[n], action[static_cast<std::size_t>(states_[n])]);
      double scale = 0;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        scale += probability;
        const std::int32_t place = place_of(to);
        if (place != out) {
          chain.add(static_cast<std::int32_t>(n), place, discount * probability);
        } else {
          chain.leaving[n] += discount * probability;
        }
      });
      chain.leaving[n] += scale * (1 - discount);
    }
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  std::vector<std::int32_t> states_;  // (place)
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  double most_work_;
};

}  // namespace tidewise::mdp

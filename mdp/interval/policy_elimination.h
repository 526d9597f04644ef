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

namespace tidewise::mdp {

/// Evaluates policies of a strongly connected component exactly, but for rounding: the values that
/// solve v = r + γ P v, those of other states being given. Its states are in order of their
/// numbers, and no row leads further than `band` places: memory is states · band, time states ·
/// band². A pivot is not 1 − p but the sum of what leaves, so that nothing is subtracted anywhere,
/// and how long values are kept waiting, or how seldom a state is left, costs no digit.
/// Source: Grassmann, Taksar, Heyman, "Regenerative analysis and steady state distributions for
/// Markov chains", Operations Research 33, 1985; O'Cinneide, "Entrywise perturbation theory and
/// error analysis for Markov chains", Numerische Mathematik 65, 1993. bound() takes the matrix-tree
/// theorem for it: what a chain of n states is worth is a quotient of sums of products of at most n
/// of its numbers, all positive, so that errors of these by a share ε make one of 2 n ε.
template <class Real>
class PolicyElimination {
 public:
  /// `states`: ascending; `group_of`, (state), tells them from others. Borrows all but `states`.
  PolicyElimination(const RewardRows<Real>& rows, const RowRule& rule,
                    std::vector<std::int32_t> states, const std::vector<std::int32_t>& group_of)
      : rows_(rows),
        rule_(rule),
        states_(std::move(states)),
        group_of_(group_of),
        group_(group_of[static_cast<std::size_t>(states_[0])]) {
    list_ways();
  }

  const std::vector<std::int32_t>& states() const { return states_; }
  std::int64_t subdomain() const { return subdomain_; }

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
      const auto follow = [&](std::int32_t to) {
        const auto [first, last] = ways_to(to);
        for (auto way = first; way != last; ++way) {
          const std::int32_t state = states_[static_cast<std::size_t>(way->from)];
          if (!keep || action[static_cast<std::size_t>(state)] == way->action) reach(*way);
        }
      };
      const std::vector<std::int32_t> before = std::exchange(reached, {});
      follow(out);
      for (const std::int32_t place : before) follow(place);
      for (std::size_t n = 0; n < reached.size(); ++n) follow(reached[n]);
      reached.insert(reached.end(), before.begin(), before.end());
    }
    return reached.size() == states_.size();
  }

  /// `found`: (place in the component). False where the policy goes round for ever, or a number
  /// leaves the range of double precision.
  bool evaluate(const std::vector<std::int32_t>& action, const std::vector<double>& value,
                std::vector<double>& found) {
    fill(action, value, found);
    const auto count = static_cast<std::int64_t>(states_.size());
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      double pivot = leaving_[static_cast<std::size_t>(k)];
      for (std::int64_t j = k + 1; j <= last; ++j) pivot += at(k, j);
      if (!(pivot > 0)) return false;
      at(k, k) = pivot;
      for (std::int64_t i = k + 1; i <= last; ++i) {
        const double factor = at(i, k) / pivot;
        if (factor == 0) continue;
        // What so comes back to i itself is on the diagonal, which nobody reads.
        for (std::int64_t j = k + 1; j <= last; ++j) at(i, j) += factor * at(k, j);
        leaving_[static_cast<std::size_t>(i)] += factor * leaving_[static_cast<std::size_t>(k)];
        found[static_cast<std::size_t>(i)] += factor * found[static_cast<std::size_t>(k)];
      }
    }
    for (std::int64_t k = count; k-- > 0;) {
      double& one = found[static_cast<std::size_t>(k)];
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      for (std::int64_t j = k + 1; j <= last; ++j)
        one += at(k, j) * found[static_cast<std::size_t>(j)];
      one /= at(k, k);
      if (!std::isfinite(one)) return false;
    }
    return true;
  }

  /// Bounds of the same, where other states' values lie between `lower` and `upper`, (state):
  /// `found_lower` and `found_upper`, (place). False where there are none.
  bool bound(const std::vector<std::int32_t>& action, const std::vector<double>& lower,
             const std::vector<double>& upper, std::vector<double>& found_lower,
             std::vector<double>& found_upper) {
    fill(action, lower, found_lower);
    const auto count = static_cast<std::int64_t>(states_.size());
    std::vector<Parts> found(states_.size());
    const std::int64_t longest = fill_parts(action, lower, upper, found);
    if (longest < 0) return false;
    std::vector<double> error(states_.size());  // at first of the equations, as a share
    double wrong = 2 * static_cast<double>(count) * share_of(longest);
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at_k = static_cast<std::size_t>(k);
      error[at_k] = wrong;
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      double pivot = leaving_[at_k];
      for (std::int64_t j = k + 1; j <= last; ++j) pivot += at(k, j);
      if (!(pivot > least_number)) return false;
      at(k, k) = pivot;
      for (std::int64_t i = k + 1; i <= last; ++i) {
        if (at(i, k) == 0) continue;
        const double factor = at(i, k) / pivot;
        if (!eliminate(k, i, last, factor, found)) return false;
      }
      wrong += 2 * static_cast<double>(count - k) * share_of(last - k);
    }
    double later = 0;
    for (std::int64_t k = count; k-- > 0;) {
      const auto at_k = static_cast<std::size_t>(k);
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      for (std::size_t part = 0; part < Parts{}.size(); ++part) {
        double& one = found[at_k][part];
        for (std::int64_t j = k + 1; j <= last; ++j) {
          const double product = at(k, j) * found[static_cast<std::size_t>(j)][part];
          if (at(k, j) != 0 && is_lost(product, found[static_cast<std::size_t>(j)][part])) {
            return false;
          }
          one += product;
        }
        one /= at(k, k);
        if (!std::isfinite(one)) return false;
      }
      later += 2 * error[at_k] + share_of(last - k);
      error[at_k] = later;
    }
    constexpr double most_error = .01;  // what is small beside 1 is first-order
    if (!(later < most_error)) return false;
    found_upper.assign(states_.size(), 0);
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const double share = 1.1 * error[n];
      const Parts& is = found[n];
      found_lower[n] = below_all(is[0] * (1 - share), is[1] * (1 + share));
      found_upper[n] = -below_all(is[3] * (1 - share), is[2] * (1 + share));
    }
    return true;
  }

 private:
  /// Gains and losses of `lower`, then those of `upper`: none is negative.
  using Parts = std::array<double, 4>;

  static constexpr double least_number = 1e-280;  // products of greater ones lose nothing

  /// Whether a product of `number` is too small to be rounded by a share.
  static bool is_lost(double product, double number) {
    return number != 0 && !(std::abs(product) > least_number);
  }

  /// Of a sum of so many products that were rounded before, and of a few roundings more.
  static double share_of(std::int64_t terms) {
    return static_cast<double>(terms + 8) * std::numeric_limits<double>::epsilon() / 2;
  }
  static double below_all(double gains, double losses) {
    const double rest = gains - losses;
    constexpr double unit = std::numeric_limits<double>::epsilon();
    return rest - 4 * unit * (gains + losses) - std::numeric_limits<double>::denorm_min();
  }

  /// Whether no product has left the range in which doubles are rounded by a share.
  bool eliminate(std::int64_t k, std::int64_t i, std::int64_t last, double factor,
                 std::vector<Parts>& found) {
    bool is_sound = factor > least_number && std::isfinite(factor);
    const auto moved = [&](double number) {
      const double product = factor * number;
      is_sound = is_sound && !is_lost(product, number);
      return product;
    };
    for (std::int64_t j = k + 1; j <= last; ++j) at(i, j) += moved(at(k, j));
    const auto from = static_cast<std::size_t>(k);
    const auto to = static_cast<std::size_t>(i);
    leaving_[to] += moved(leaving_[from]);
    for (std::size_t part = 0; part < Parts{}.size(); ++part) {
      found[to][part] += moved(found[from][part]);
    }
    return is_sound;
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
      Parts parts{};
      const auto add = [&](std::size_t part, double number) {
        parts[number > 0 ? part : part + 1] += std::abs(number);
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
        is_sound = is_sound && !is_lost(discount * probability * least, least) &&
                   !is_lost(discount * probability * most, most);
      });
      const double reward = rows_.reward(row);
      const double wrong = rows_.reward_error(row);
      add(0, scale * (reward - wrong));
      add(2, scale * (reward + wrong));
      longest = std::max(longest, entries);
      found[n] = parts;
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

  double& at(std::int64_t i, std::int64_t j) {
    return matrix_[static_cast<std::size_t>(i * (2 * subdomain_ + 1) + j - i + subdomain_)];
  }
  std::int32_t place_of(std::int32_t state) const {
    if (group_of_[static_cast<std::size_t>(state)] != group_) return out;
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }

  /// Also finds the band.
  void list_ways() {
    const DecisionProcess<Real>& process = rows_.solved();
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const auto from = static_cast<std::int32_t>(n);
      for (std::int32_t action = 0; action < process.action_count; ++action) {
        const std::int64_t row = process.row(states_[n], action);
        if (!process.is_allowed(row) || !rule_.takes(row)) continue;
        rows_.for_entries(row, [&](std::int32_t state, double probability) {
          const std::int32_t to = place_of(state);
          if (to != out) subdomain_ = std::max<std::int64_t>(subdomain_, std::abs(to - from));
          if (probability > 0) ways_.push_back({to, from, action});
        });
      }
    }
    std::sort(ways_.begin(), ways_.end());
  }
  auto ways_to(std::int32_t place) const {
    const auto before = [](const Way& way, std::int32_t to) { return way.to < to; };
    const auto first = std::lower_bound(ways_.begin(), ways_.end(), place, before);
    return std::pair{first, std::lower_bound(first, ways_.end(), place + 1, before)};
  }

  /// Equations are those of RowSum, times their rows' sums.
  void fill(const std::vector<std::int32_t>& action, const std::vector<double>& value,
            std::vector<double>& found) {
    const DecisionProcess<Real>& process = rows_.solved();
    const double discount = rows_.discount();
    matrix_.assign(states_.size() * static_cast<std::size_t>(2 * subdomain_ + 1), 0);
    leaving_.assign(states_.size(), 0);
    found.assign(states_.size(), 0);
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const auto i = static_cast<std::int64_t>(n);
      const std::int64_t row =
          process.row(states_[n], action[static_cast<std::size_t>(states_[n])]);
      double scale = 0;
      double outside = 0;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        scale += probability;
        const std::int32_t place = place_of(to);
        if (place != out) {
          at(i, place) += discount * probability;
        } else {
          leaving_[n] += discount * probability;
          outside = std::fma(probability, value[static_cast<std::size_t>(to)], outside);
        }
      });
      leaving_[n] += scale * (1 - discount);
      found[n] = scale * (rule_.steps ? 1 : rows_.reward(row)) + discount * outside;
    }
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  std::vector<std::int32_t> states_;  // (place)
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  std::int64_t subdomain_ = 0;
  std::vector<Way> ways_;       // by where they lead to
  std::vector<double> matrix_;  // (place, 2 · band + 1): γ P about its diagonal
  std::vector<double> leaving_;  // (place): γ P to states that are not in the component, and 1 − γ
};

}  // namespace tidewise::mdp

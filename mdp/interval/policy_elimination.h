#pragma once

#include <algorithm>
#include <cmath>
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
/// band².
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

  /// `found`: (place in the component). False where the policy goes round for ever.
  /// A row of I − P with what it leads to outside is weakly dominated by its diagonal and negative
  /// off it, so that elimination needs no pivots, and no sum of it cancels but on the diagonal.
  bool evaluate(const std::vector<std::int32_t>& action, const std::vector<double>& value,
                std::vector<double>& found) {
    fill(action, value, found);
    const auto count = static_cast<std::int64_t>(states_.size());
    for (std::int64_t k = 0; k < count; ++k) {
      const double pivot = at(k, k);
      if (!(pivot > least_pivot)) return false;
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      for (std::int64_t i = k + 1; i <= last; ++i) {
        const double factor = at(i, k) / pivot;
        if (factor == 0) continue;
        for (std::int64_t j = k + 1; j <= last; ++j) at(i, j) -= factor * at(k, j);
        found[static_cast<std::size_t>(i)] -= factor * found[static_cast<std::size_t>(k)];
      }
    }
    for (std::int64_t k = count; k-- > 0;) {
      double& one = found[static_cast<std::size_t>(k)];
      const std::int64_t last = std::min(k + subdomain_, count - 1);
      for (std::int64_t j = k + 1; j <= last; ++j)
        one -= at(k, j) * found[static_cast<std::size_t>(j)];
      one /= at(k, k);
      if (!std::isfinite(one)) return false;
    }
    return true;
  }

 private:
  static constexpr double least_pivot = 1e-15;
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

  void fill(const std::vector<std::int32_t>& action, const std::vector<double>& value,
            std::vector<double>& found) {
    const DecisionProcess<Real>& process = rows_.solved();
    matrix_.assign(states_.size() * static_cast<std::size_t>(2 * subdomain_ + 1), 0);
    found.assign(states_.size(), 0);
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const auto i = static_cast<std::int64_t>(n);
      const std::int64_t row =
          process.row(states_[n], action[static_cast<std::size_t>(states_[n])]);
      at(i, i) = 1;
      found[n] = rule_.steps ? 1 : rows_.reward(row);
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        const std::int32_t place = place_of(to);
        if (place != out) {
          at(i, place) -= probability;
        } else {
          found[n] = std::fma(probability, value[static_cast<std::size_t>(to)], found[n]);
        }
      });
    }
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  std::vector<std::int32_t> states_;  // (place)
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  std::int64_t subdomain_ = 0;
  std::vector<Way> ways_;       // by where they lead to
  std::vector<double> matrix_;  // (place, 2 · band + 1): I − γ P about its diagonal
};

}  // namespace tidewise::mdp

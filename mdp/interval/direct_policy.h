#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/interval/reward_rows.h"
#include "mdp/interval/row_rule.h"
#include "mdp/interval/sparse_chain.h"

namespace tidewise::mdp {

/// Evaluates policies of a strongly connected component, other states' values being given: a direct
/// solve (sparse_chain.h), then iterative refinement. Residuals are made of differences of values,
/// which lose nothing where states are seldom left, and values have two parts, so that the result
/// is accurate to double precision where the factorisation has any correct digit.
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 12.
template <class Real>
class DirectPolicy {
 public:
  /// `states`: ascending; `group_of`, (state), tells them from others. `max_work`:
  /// multiplications of a factorisation. Borrows all but `states`.
  DirectPolicy(const RewardRows<Real>& rows, const RowRule& rule, std::vector<std::int32_t> states,
               const std::vector<std::int32_t>& group_of, double max_work)
      : rows_(rows),
        rule_(rule),
        states_(std::move(states)),
        group_of_(group_of),
        group_(group_of[static_cast<std::size_t>(states_[0])]),
        max_work_(max_work) {}

  const std::vector<std::int32_t>& states() const { return states_; }

  /// The multiplications for a policy that would take all rows at once, so that any one hardly
  /// takes more; infinite where these are more than `max_work`.
  double estimate_work() const {
    const DecisionProcess<Real>& process = rows_.solved();
    SparseChain all(states_.size());
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for (std::int64_t row = process.row(states_[n], 0); row < process.row(states_[n] + 1, 0);
           ++row) {
        if (!process.is_allowed(row) || !rule_.takes(row)) continue;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          const std::int32_t place = place_of(to);
          if (place != out) all.add(static_cast<std::int32_t>(n), place, probability);
        });
      }
    }
    return all.estimate_work(max_work_);
  }

  /// Makes `action`, (state), lead out of the component from each of its states, by the actions
  /// that it holds where they do. False where that is impossible.
  bool choose_ending_policy(std::vector<std::int32_t>& action) const {
    std::vector<std::uint8_t> ends(states_.size(), 0);
    std::vector<std::int32_t> reached;
    const auto reach = [&](const Link& link) {
      if (ends[static_cast<std::size_t>(link.from)] != 0) return;
      ends[static_cast<std::size_t>(link.from)] = 1;
      action[static_cast<std::size_t>(states_[static_cast<std::size_t>(link.from)])] = link.action;
      reached.push_back(link.from);
    };
    for (const bool keep : {true, false}) {
      const std::vector<Link> links = list_links(keep ? &action : nullptr);
      const auto follow = [&](std::int32_t to) {
        const auto before = [](const Link& link, std::int32_t place) { return link.to < place; };
        auto link = std::lower_bound(links.begin(), links.end(), to, before);
        for (; link != links.end() && link->to == to; ++link) reach(*link);
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

  /// Sets `values` in the component. False where the policy never ends, needs too much work, or
  /// states are left too seldom for double precision.
  bool evaluate(const std::vector<std::int32_t>& action, TwoPartValues& values) const {
    SparseChain chain(states_.size());
    fill(action, chain);
    return (chain.factorise(max_work_) && refine(chain, action, values)) ||
           (chain.factorise_densely() && refine(chain, action, values));
  }

 private:
  static constexpr std::int32_t out = -1;  // in place of a place: not in the component
  static constexpr int max_refinements = 30;
  static constexpr double least_share = 1e-24;     // of a value, of the last correction
  static constexpr double most_uncertain = 1e-12;  // of the greatest value

  /// From 0; whether the corrections come to nothing.
  bool refine(const SparseChain& chain, const std::vector<std::int32_t>& action,
              TwoPartValues& values) const {
    for (const std::int32_t state : states_) values.set(state, 0);
    std::vector<double> residual(states_.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Change change{infinity, infinity};
    for (int round = 0; round < max_refinements; ++round) {
      for (std::size_t n = 0; n < states_.size(); ++n) {
        const std::int64_t row = row_of(n, action);
        residual[n] = rows_.sum(states_[n], row, values, rule_.reward(rows_, row)).gain;
      }
      const Change before = std::exchange(change, correct(chain.solve(residual), values));
      if (!std::isfinite(change.greatest)) return false;
      if (change.share <= least_share) break;
      if (!(change.share < before.share / 2) && !(change.greatest < before.greatest / 2)) break;
    }
    return change.greatest <= most_uncertain;
  }

  /// An action may lead from one place to another.
  struct Link {
    std::int32_t to;
    std::int32_t from;
    std::int32_t action;
    auto operator<=>(const Link&) const = default;
  };
  /// Of a correction: the greatest share of a value, and of the greatest value.
  struct Change {
    double share;
    double greatest;
  };

  std::int32_t place_of(std::int32_t state) const {
    if (group_of_[static_cast<std::size_t>(state)] != group_) return out;
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }
  std::int64_t row_of(std::size_t place, const std::vector<std::int32_t>& action) const {
    const std::int32_t state = states_[place];
    return rows_.solved().row(state, action[static_cast<std::size_t>(state)]);
  }

  /// By where they lead to; of all rows, or of a policy's.
  std::vector<Link> list_links(const std::vector<std::int32_t>* policy) const {
    const DecisionProcess<Real>& process = rows_.solved();
    std::vector<Link> links;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for (std::int32_t action = 0; action < process.action_count; ++action) {
        const std::int64_t row = process.row(states_[n], action);
        if (!process.is_allowed(row) || !rule_.takes(row)) continue;
        if (policy != nullptr && (*policy)[static_cast<std::size_t>(states_[n])] != action)
          continue;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          if (probability > 0) {
            links.push_back({place_of(to), static_cast<std::int32_t>(n), action});
          }
        });
      }
    }
    std::sort(links.begin(), links.end());
    return links;
  }

  /// Equations are those of RowSum::gain.
  void fill(const std::vector<std::int32_t>& action, SparseChain& chain) const {
    const double discount = rows_.discount();
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const auto from = static_cast<std::int32_t>(n);
      rows_.for_entries(row_of(n, action), [&](std::int32_t to, double probability) {
        const std::int32_t place = place_of(to);
        if (place != out) {
          chain.add(from, place, discount * probability);
        } else {
          chain.add_leaving(from, discount * probability);
        }
        chain.add_leaving(from, (1 - discount) * probability);
      });
    }
  }

  Change correct(const std::vector<double>& correction, TwoPartValues& values) const {
    Change change{0, 0};
    double greatest = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      values.add(states_[n], correction[n]);
      const double size = std::abs(values.value[static_cast<std::size_t>(states_[n])]);
      const double moved = std::abs(correction[n]);
      if (!std::isfinite(moved)) return {moved, moved};
      if (moved > 0) change.share = std::max(change.share, moved / size);
      change.greatest = std::max(change.greatest, moved);
      greatest = std::max(greatest, size);
    }
    if (greatest > 0) change.greatest /= greatest;
    return change;
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  std::vector<std::int32_t> states_;  // (place)
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  double max_work_;
};

}  // namespace tidewise::mdp

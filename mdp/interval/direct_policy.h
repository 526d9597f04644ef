#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/interval/reward_rows.h"
#include "mdp/interval/sparse_chain.h"

namespace tidewise::mdp {

/// Evaluates policies of a strongly connected component, given the values of other states: a direct
/// solve (sparse_chain.h), then iterative refinement. Residuals use differences of values, which
/// are accurate even if states are rarely left, and values have two parts, so that the result is
/// accurate to double precision if the factorisation has any correct digit. Source: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2002, chapter 12.
template <class Real>
class DirectPolicy {
 public:
  /// `states`: ascending; `group_of`, (state), has one number for them and other numbers elsewhere.
  /// `max_work`: limit of the multiplications of a factorisation. Borrows all except `states`.
  DirectPolicy(const RewardRows<Real>& rows, const RowRule& rule, std::vector<std::int32_t> states,
               const std::vector<std::int32_t>& group_of, double max_work)
      : rows_(rows),
        rule_(rule),
        states_(std::move(states)),
        group_of_(group_of),
        max_work_(max_work) {}

  const std::vector<std::int32_t>& states() const { return states_; }

  /// Multiplications for a policy that would use all rows at once, which nearly bounds those of any
  /// policy; infinite if more than `max_work`.
  double estimate_work() const {
    SparseChain chain(states_.size());
    for (std::size_t n = 0; n < states_.size(); ++n) {
      rule_.for_actions(rows_, states_[n],
                        [&](std::int32_t, std::int64_t row) { add_row(n, row, chain); });
    }
    return chain.estimate_work(max_work_);
  }

  /// Changes `action`, (state), such that it leads out of the component from each state; keeps
  /// actions that do. False if that is impossible.
  bool choose_ending_policy(std::vector<std::int32_t>& action) const {
    std::vector<std::uint8_t> is_ending(states_.size(), 0);
    std::vector<std::int32_t> reached{outside};
    for (const bool keeps_policy : {true, false}) {
      const std::vector<Link> links = list_links(keeps_policy ? &action : nullptr);
      for (std::size_t n = 0; n < reached.size(); ++n) {
        const auto is_before = [](const Link& link, std::int32_t place) { return link.to < place; };
        auto link = std::lower_bound(links.begin(), links.end(), reached[n], is_before);
        for (; link != links.end() && link->to == reached[n]; ++link) {
          if (std::exchange(is_ending[link->from], 1) != 0) continue;
          action[states_[link->from]] = link->action;
          reached.push_back(link->from);
        }
      }
      if (reached.size() == states_.size() + 1) return true;
    }
    return false;
  }

  /// Sets `values` in the component. False if the policy never ends, needs too much work, or leaves
  /// states too rarely for double precision.
  bool evaluate(const std::vector<std::int32_t>& action, TwoPartValues& values) const {
    SparseChain chain(states_.size());
    for (std::size_t n = 0; n < states_.size(); ++n) add_row(n, row_of(n, action), chain);
    return (chain.factorise(max_work_) && refine(chain, action, values)) ||
           (chain.factorise_densely() && refine(chain, action, values));
  }

 private:
  static constexpr std::int32_t outside = -1;  // place of states outside the component
  static constexpr int max_refinements = 30;
  static constexpr double min_share = 1e-24;  // limit of the last correction, relative to a value
  static constexpr double max_uncertainty = 1e-12;  // relative to the greatest value

  /// An action that may lead from one place to another.
  struct Link {
    std::int32_t to;
    std::int32_t from;
    std::int32_t action;
    auto operator<=>(const Link&) const = default;
  };
  /// Size of a correction: relative to each value, and to the greatest value.
  struct Change {
    double share;
    double max;
  };

  /// Refines values from 0; true if the corrections converge to 0.
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
      const Change previous = std::exchange(change, correct(chain.solve(residual), values));
      if (!std::isfinite(change.max)) return false;
      if (change.share <= min_share) break;
      if (!(change.share < previous.share / 2) && !(change.max < previous.max / 2)) break;
    }
    return change.max <= max_uncertainty;
  }

  Change correct(const std::vector<double>& correction, TwoPartValues& values) const {
    Change change{0, 0};
    double max = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      values.add(states_[n], correction[n]);
      const double size = std::abs(values.value[states_[n]]);
      const double step = std::abs(correction[n]);
      if (!std::isfinite(step)) return {step, step};
      if (step > 0) change.share = std::max(change.share, step / size);
      change.max = std::max(change.max, step);
      max = std::max(max, size);
    }
    if (max > 0) change.max /= max;
    return change;
  }

  std::int32_t place_of(std::int32_t state) const {
    if (group_of_[state] != group_of_[states_[0]]) return outside;
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }
  std::int64_t row_of(std::size_t place, const std::vector<std::int32_t>& action) const {
    return rows_.solved().row(states_[place], action[states_[place]]);
  }

  /// Links in ascending order of their targets, of all rows or of a policy's.
  std::vector<Link> list_links(const std::vector<std::int32_t>* policy) const {
    std::vector<Link> links;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      rule_.for_actions(rows_, states_[n], [&](std::int32_t action, std::int64_t row) {
        if (policy != nullptr && (*policy)[states_[n]] != action) return;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          if (probability > 0) {
            links.push_back({place_of(to), static_cast<std::int32_t>(n), action});
          }
        });
      });
    }
    std::sort(links.begin(), links.end());
    return links;
  }

  /// Adds the equation of RowSum::gain.
  void add_row(std::size_t place, std::int64_t row, SparseChain& chain) const {
    const double discount = rows_.discount();
    const auto from = static_cast<std::int32_t>(place);
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      const std::int32_t target = place_of(to);
      if (target != outside) {
        chain.add(from, target, discount * probability);
      } else {
        chain.add_leaving(from, discount * probability);
      }
      chain.add_leaving(from, (1 - discount) * probability);
    });
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  std::vector<std::int32_t> states_;  // (place)
  const std::vector<std::int32_t>& group_of_;
  double max_work_;
};

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/graph/end_components.h"
#include "mdp/interval/component_values.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// Infinity in double precision.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A value and a weight prove V* ≤ V + above · weight, V* ≥ V − below · weight.
struct IntervalStart {
  TwoPartValues weight = {};  ///< (state); 0 in ends
  double above = 0;
  double below = 0;
  double rounding = 0;  ///< bound of a step's rounding error by the selected rows
};

/// The factors of a weight that are allowed by the rows of a state, from `min` to `max`.
struct ProofRange {
  double min = 0;
  double max = infinity;

  /// Includes a row whose gain over V is at most `gain`, and which reduces the weight by at least
  /// `fall`: factor · fall ≥ gain.
  void require(double gain, double fall) {
    // Covers the rounding of the two differences, of their quotient and of the result.
    constexpr double outward = 1 + 8 * std::numeric_limits<double>::epsilon();
    if (fall > 0) {
      if (gain > 0) min = std::max(min, gain / fall * outward);
    } else if (gain > 0) {
      max = -1;
    } else if (fall < 0) {
      max = std::min(max, gain / fall / outward);
    }
  }
  bool is_proof() const { return min <= max && std::isfinite(min); }
};

/// Finds a start for a value by selecting rows near the best: fewer rows give a smaller weight,
/// more rows allow a less accurate value.
template <class Real>
class IntervalStarter {
 public:
  /// Borrows the first two. `max_sweeps`: limit for finding a weight. `tolerance`: distance of an
  /// action's value from the state's within which it is selected at first.
  IntervalStarter(const RewardRows<Real>& rows, ComponentValues<Real>& components,
                  std::int64_t max_sweeps, double tolerance)
      : rows_(rows),
        process_(rows.solved()),
        components_(components),
        max_sweeps_(max_sweeps),
        tolerance_(tolerance) {}

  /// True if a start was found. `action`: greedy for `value`, or nearly so.
  bool find(const TwoPartValues& values, const std::vector<std::int32_t>& action,
            IntervalStart& start) {
    if (process_.discount < 1) return attempt(values, action, infinity, start) == Attempt::found;
    const double min_distance = 4 * residual(values);
    if (!std::isfinite(min_distance)) return false;
    Attempt last = Attempt::has_endless_loop;
    double max_distance = std::max(tolerance_, min_distance);
    for (int attempts = 0; last == Attempt::has_endless_loop && attempts < max_attempts;
         ++attempts) {
      last = attempt(values, action, max_distance, start);
      if (max_distance == min_distance) break;
      max_distance = std::max(max_distance / 100, min_distance);
    }
    if (last == Attempt::too_far) last = attempt(values, action, infinity, start);
    return last == Attempt::found;
  }

  /// After find(): uses a weight that sums the rounding of each step instead of 1, which is tighter
  /// if loops take many steps of little reward. At first `start` has the weight that counts steps.
  bool find_by_rounding(const TwoPartValues& values, const std::vector<std::int32_t>& action,
                        IntervalStart& start) {
    if (process_.discount < 1) return false;
    double steps = 1;
    for (const double count : start.weight.value) steps = std::max(steps, count);
    constexpr double share = 1e-3;  // share of the tolerance for the sum of all steps
    const double min_rounding = share * tolerance_ / steps;
    std::vector<double> rounding(is_near_.size(), 0);
    for_near(values, [&](std::int64_t row, const RowSum& sum) {
      rounding[row] = sum.error / sum.scale + min_rounding;
    });
    return weigh({&is_near_, &rounding}, min_rounding, action, start) && prove(values, start);
  }

  /// True if the last weight also proves bounds for another value.
  bool find_again(const TwoPartValues& values, IntervalStart& start) const {
    return !is_near_.empty() && prove(values, start);
  }

  /// max |T V − V|.
  double residual(const TwoPartValues& values) const {
    double max = 0;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      double best = -infinity;
      process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
        best = std::max(best, rows_.sum(state, row, values).change());
      });
      if (best > -infinity) max = std::max(max, std::abs(best));
    }
    return max;
  }

 private:
  static constexpr int max_attempts = 8;
  enum class Attempt { found, has_endless_loop, too_far };

  Attempt attempt(const TwoPartValues& values, const std::vector<std::int32_t>& action,
                  double max_distance, IntervalStart& start) {
    is_near_.assign(static_cast<std::size_t>(process_.row_count()), 1);
    for_near(values, [&](std::int64_t row, const RowSum& sum) {
      // A row that stays without reward is an end; otherwise it would have been collapsed.
      const bool is_end = rows_.reward(row) == 0 && !sum.leaves();
      is_near_[row] = !is_end && !(-sum.change() > max_distance) ? 1 : 0;
    });
    const bool all_end =
        process_.discount < 1 || find_end_components(process_, is_near_).count == 0;
    constexpr double change = 0.1;  // share of a step; the weight is then nearly 1 step off
    if (!all_end || !weigh({&is_near_, nullptr, true}, change, action, start)) {
      return Attempt::has_endless_loop;
    }
    if (prove(values, start)) return Attempt::found;
    return find_by_rounding(values, action, start) ? Attempt::found : Attempt::too_far;
  }

  /// Calls take(row, sum) for the selected rows.
  template <class Take>
  void for_near(const TwoPartValues& values, const Take& take) const {
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
        if (is_near_[row] != 0) take(row, rows_.sum(state, row, values));
      });
    }
  }

  /// Greatest expected number of steps to the end by rows near the best, approximately, or the sum
  /// of the rewards of `rule`: with discount 1, which the discount reduces.
  bool weigh(const RowRule& rule, double change, std::vector<std::int32_t> action,
             IntervalStart& start) {
    start.weight = {std::vector<double>(static_cast<std::size_t>(process_.state_count), 0)};
    std::vector<double>& weight = start.weight.value;
    if (process_.discount < 1) {
      for (std::int32_t state = 0; state < process_.state_count; ++state) {
        weight[state] = process_.is_terminal(state) ? 0 : 1;
      }
      return true;
    }
    components_.solve(rule, change, max_sweeps_, start.weight, action);
    return std::all_of(weight.begin(), weight.end(),
                       [](double number) { return std::isfinite(number); });
  }

  /// Finds the factors of the weight that prove bounds of V; false if there are none. All policies
  /// of the selected rows terminate, even if weights cannot show it or differ by less than the
  /// precision of double.
  bool prove(const TwoPartValues& values, IntervalStart& start) const {
    ProofRange above;
    ProofRange below;
    start.rounding = 0;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      ProofRange best{infinity};  // range of the row that requires the smallest factor
      bool is_nonterminal = false;
      process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
        const RowSum sum = rows_.sum(state, row, values);
        if (rows_.reward(row) == 0 && !sum.leaves()) return;
        is_nonterminal = true;
        // Both are multiplied by the row's sum, which therefore cancels.
        const double fall = -rows_.sum(state, row, start.weight, 0).gain_above();
        above.require(sum.gain_above(), fall);
        if (is_near_[row] == 0) return;
        start.rounding = std::max(start.rounding, 2 * sum.error);
        ProofRange range;
        range.require(-sum.gain_below(), fall);
        if (range.max < 0) range.min = infinity;
        if (range.min < best.min || (range.min == best.min && range.max > best.max)) best = range;
      });
      if (!is_nonterminal) continue;
      below.min = std::max(below.min, best.min);
      below.max = std::min(below.max, best.max);
    }
    start.above = above.min;
    start.below = below.min;
    return above.is_proof() && below.is_proof();
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  ComponentValues<Real>& components_;
  std::int64_t max_sweeps_;
  double tolerance_;
  std::vector<std::uint8_t> is_near_;  // (row)
};

}  // namespace tidewise::mdp

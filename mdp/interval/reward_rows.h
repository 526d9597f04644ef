#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/graph/collapsed_process.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The gain of a row of probabilities p over the `value` of its state, in double, for the
/// normalized row p / Σ p, multiplied by `scale` = Σ p:
///   scale · (Q − value) = scale · (r − (1 − γ) value) + γ Σ p (V(t) − value)
/// The state itself is not part of the sum, so that a large probability of staying does not spoil a
/// small one of leaving, and 1 − γ is used directly.
struct RowSum {
  double value = 0;
  double gain = 0;    ///< scale · (Q − value)
  double error = 0;   ///< bound of its rounding error
  double direct = 0;  ///< scale · r + γ Σ p V(t) over other states
  double direct_error = 0;
  double leaving = 0;  ///< scale · (1 − γ) + γ Σ p over other states; 0: leads nowhere else
  double scale = 1;
  double share = 0;  ///< bound of the relative rounding error of `leaving` and `scale`

  /// True if the row leads to another state, or the discount ends it.
  bool leaves() const { return leaving > 0; }
  /// Q − value.
  double change() const { return gain / scale; }
  /// Bounds of `gain`, then of change(), that hold despite rounding.
  double gain_above() const { return gain + error; }
  double gain_below() const { return gain - error; }
  double change_above() const { return outward(gain + error, scale, share); }
  double change_below() const { return -outward(error - gain, scale, share); }
  /// The value of a state with only this row, which solves v = Q(v): accurate relative to itself if
  /// rewards have one sign, else relative to its difference from `value`.
  double solved() const { return direct / leaving; }
  double solved_above() const {
    const double direct_bound = outward(direct + direct_error, leaving, share);
    return std::min(direct_bound, up(value + outward(gain + error, leaving, share)));
  }
  double solved_below() const {
    const double direct_bound = -outward(direct_error - direct, leaving, share);
    return std::max(direct_bound, -up(-value + outward(error - gain, leaving, share)));
  }

 private:
  static double up(double number) {
    return std::nextafter(number, std::numeric_limits<double>::infinity());
  }
  /// Upper bound of `over` / (`under` · (1 ± share)).
  static double outward(double over, double under, double share) {
    if (over == 0) return 0;
    const double quotient = over / under;
    return up(quotient >= 0 ? quotient * (1 + 2 * share) : quotient * (1 - 2 * share));
  }
};

/// Sums over a row's entries from which a RowSum is computed.
struct RowTerms {
  double value = 0;
  double others = 0;
  double magnitude = 0;    // Σ of absolute values of others
  double differences = 0;  // from value
  double difference = 0;   // Σ of absolute differences

  void include(double probability, double other) {
    const double change = other - value;
    others = std::fma(probability, other, others);
    magnitude = std::fma(probability, std::abs(other), magnitude);
    differences = std::fma(probability, change, differences);
    difference = std::fma(probability, std::abs(change), difference);
  }

  /// Computes the RowSum. `stay`, `leave`: probabilities of staying and of other states; `entries`:
  /// their number. `reward_error`: bound of the error of `reward`.
  RowSum sum(double stay, double leave, int entries, double reward, double reward_error,
             double discount) const {
    constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    const double rest = 1 - discount;
    // Half a unit for each of n terms and of n partial sums, for their scale, and for a few
    // products afterwards; doubled to cover the rounding of this bound. Underflow is added.
    const double share = (entries + 5) * unit;
    const auto error = [&](double magnitude_sum) {
      return magnitude_sum > 0 ? share * magnitude_sum + (entries + 2) * smallest : 0;
    };
    RowSum sum;
    sum.value = value;
    sum.scale = stay + leave;
    sum.share = share;
    sum.leaving = sum.scale * rest + discount * leave;
    sum.direct = sum.scale * reward + discount * others;
    sum.direct_error = error(sum.scale * std::abs(reward) + discount * magnitude);
    sum.gain = sum.scale * (reward - rest * value) + discount * differences;
    sum.error =
        error(sum.scale * (std::abs(reward) + rest * std::abs(value)) + discount * difference);
    if (reward_error > 0) {
      sum.direct_error += 2 * sum.scale * reward_error;
      sum.error += 2 * sum.scale * reward_error;
    }
    return sum;
  }
};

/// Values `value` + `rest`, (state): if many small rewards add up, the rounding of `value` exceeds
/// the reward of a step. `rest` may be empty: 0.
struct TwoPartValues {
  std::vector<double> value = {};
  std::vector<double> rest = {};

  void set(std::int32_t state, double to) {
    value[state] = to;
    if (!rest.empty()) rest[state] = 0;
  }
  void add(std::int32_t state, double correction) {
    double& high = value[state];
    double& low = rest[state];
    const double before = high;
    const double more = low + correction;
    high = before + more;
    const double added = high - before;
    low = (before - (high - added)) + (more - added);
  }
};

/// Rewards r + Σ p h(t) / Σ p − h(s) instead of a process's own, for some h.
struct ShiftedRewards {
  std::vector<double> reward;  ///< (row)
  std::vector<double> error;   ///< bound of the rounding error
};

/// The original rows of a process that may have been collapsed. The collapsed process holds merged
/// probabilities, which are rounded, so that its bounds would not be valid for the process. States
/// and rows are those of solved().
template <class Real>
class RewardRows {
 public:
  /// `collapsed`: made from `process`, or null. Borrows both.
  RewardRows(const DecisionProcess<Real>& process, const CollapsedProcess<Real>* collapsed)
      : process_(process), collapsed_(collapsed) {}
  /// `collapsed`: made from inner.solved() with rewards `shifted`. Borrows all.
  RewardRows(const RewardRows& inner, const CollapsedProcess<Real>& collapsed,
             const ShiftedRewards& shifted)
      : process_(inner.process_), collapsed_(&collapsed), inner_(&inner), shifted_(&shifted) {}

  const DecisionProcess<Real>& solved() const {
    return collapsed_ == nullptr ? process_ : collapsed_->process;
  }
  double discount() const { return process_.discount; }
  double reward(std::int64_t row) const {
    if (shifted_ != nullptr) return shifted(shifted_->reward, row);
    return static_cast<double>(solved().reward[row]);
  }
  /// Bound of the error of reward().
  double reward_error(std::int64_t row) const {
    return shifted_ == nullptr ? 0 : shifted(shifted_->error, row);
  }
  bool is_shifted() const { return shifted_ != nullptr; }

  /// A RowSum for each of `values`, (state). `reward`: of the row.
  template <std::size_t n>
  std::array<RowSum, n> sums(std::int32_t state, std::int64_t row, double reward,
                             const std::array<const double*, n>& values) const {
    std::array<RowTerms, n> terms;
    for (std::size_t k = 0; k < n; ++k) terms[k].value = values[k][state];
    double stay = 0;
    double leave = 0;
    int entries = 0;
    for_entries(row, [&](std::int32_t to, double probability) {
      ++entries;
      (to == state ? stay : leave) += probability;
      if (to == state) return;
      for (std::size_t k = 0; k < n; ++k) terms[k].include(probability, values[k][to]);
    });
    std::array<RowSum, n> result;
    for (std::size_t k = 0; k < n; ++k) {
      result[k] = terms[k].sum(stay, leave, entries, reward, reward_error(row), discount());
    }
    return result;
  }
  RowSum sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
             double reward) const {
    return sums<1>(state, row, reward, {value.data()})[0];
  }
  /// A RowSum with value, gain, error, leaving and scale, for values in two parts.
  RowSum sum(std::int32_t state, std::int64_t row, const TwoPartValues& values,
             double reward) const {
    RowSum result = sum(state, row, values.value, reward);
    if (values.rest.empty()) return result;
    const RowSum rest = sum(state, row, values.rest, 0);
    result.gain += rest.gain;
    result.error += rest.error + std::numeric_limits<double>::epsilon() * std::abs(result.gain);
    return result;
  }
  RowSum sum(std::int32_t state, std::int64_t row, const TwoPartValues& values) const {
    return sum(state, row, values, reward(row));
  }

  /// A RowSum with only direct, leaving and scale, without error bounds.
  RowSum rounded_sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                     double reward) const {
    double others = 0;
    double leave = 0;
    double stay = 0;
    for_entries(row, [&](std::int32_t to, double probability) {
      if (to == state) {
        stay += probability;
      } else {
        others = std::fma(probability, value[to], others);
        leave += probability;
      }
    });
    RowSum sum;
    sum.scale = stay + leave;
    sum.direct = sum.scale * reward + discount() * others;
    sum.leaving = sum.scale * (1 - discount()) + discount() * leave;
    return sum;
  }

  /// Calls take(state, probability) for each entry; a state may occur more than once.
  template <class Take>
  void for_entries(std::int64_t row, const Take& take) const {
    if (collapsed_ == nullptr) return for_stored(process_, row, take);
    const std::int64_t origin = collapsed_->row_of[row];
    // Rows of trees and rests belong to the collapsed process.
    if (origin < 0) return for_stored(collapsed_->process, row, take);
    const auto take_from = [&](std::int32_t to, double probability) {
      take(collapsed_->state_of[to], probability);
    };
    if (inner_ == nullptr || inner_->collapsed_ == nullptr) {
      return for_stored(process_, origin, take_from);
    }
    // The inner process has no rows of trees or rests here.
    const CollapsedProcess<Real>& within = *inner_->collapsed_;
    const std::int64_t first = within.row_of[origin];
    if (first < 0) return for_stored(within.process, origin, take_from);
    for_stored(process_, first, [&](std::int32_t to, double probability) {
      take_from(within.state_of[to], probability);
    });
  }

 private:
  template <class Take>
  static void for_stored(const DecisionProcess<Real>& process, std::int64_t row, const Take& take) {
    const auto end = process.row_begin[row + 1];
    for (auto n = process.row_begin[row]; n < end; ++n) {
      take(process.successor[n], static_cast<double>(process.probability[n]));
    }
  }
  double shifted(const std::vector<double>& row_values, std::int64_t row) const {
    const std::int64_t origin = collapsed_->row_of[row];
    return origin < 0 ? 0 : row_values[origin];
  }

  const DecisionProcess<Real>& process_;
  const CollapsedProcess<Real>* collapsed_;
  const RewardRows* inner_ = nullptr;
  const ShiftedRewards* shifted_ = nullptr;
};

/// Selects rows of RewardRows::solved() and their rewards.
struct RowRule {
  const std::vector<std::uint8_t>* selected = nullptr;  ///< (row); null: all that are allowed
  const std::vector<double>* rewards = nullptr;         ///< (row); null: see `steps`
  bool steps = false;  ///< true: each row has the reward 1; false: its own

  bool selects(std::int64_t row) const { return selected == nullptr || (*selected)[row] != 0; }
  template <class Real>
  double reward(const RewardRows<Real>& rows, std::int64_t row) const {
    if (rewards != nullptr) return (*rewards)[row];
    return steps ? 1 : rows.reward(row);
  }
  /// Calls take(action, row) for the selected actions of a state.
  template <class Real, class Take>
  void for_actions(const RewardRows<Real>& rows, std::int32_t state, const Take& take) const {
    rows.solved().for_actions(state, [&](std::int32_t action, std::int64_t row) {
      if (selects(row)) take(action, row);
    });
  }
};

}  // namespace tidewise::mdp

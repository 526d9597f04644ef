#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/graph/collapsed_process.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// What a row of probabilities p brings beside a value `own` of its state, in double, with the row
/// for p / Σ p, and all of it times `scale` = Σ p: of
///   scale · (Q − own) = scale · (r − (1 − γ) own) + γ Σ p (V(t) − own)
/// the state itself is no part. So what stays takes nothing from what leaves, however little that
/// is, and 1 − γ is taken as it is.
struct RowSum {
  double own = 0;
  double gain = 0;    ///< scale · (Q − own)
  double error = 0;   ///< of that, at most, by rounding
  double direct = 0;  ///< scale · r + γ Σ p V(t) over other states
  double direct_error = 0;
  double leaving = 0;  ///< scale · (1 − γ) + γ Σ p over other states; 0: leads nowhere else
  double scale = 1;
  double share = 0;  ///< of `leaving` and `scale`, at most, that rounding can be

  /// Whether it ever leads anywhere else, or the discount ends it.
  bool leaves() const { return leaving > 0; }
  /// Q − own.
  double change() const { return gain / scale; }
  /// By no rounding too small, or too great, and still times `scale`.
  double gain_above() const { return gain + error; }
  double gain_below() const { return gain - error; }
  double change_above() const { return outward(gain + error, scale, share); }
  double change_below() const { return -outward(error - gain, scale, share); }
  /// The value of a state that has no other row, which solves v = Q(v): exact to a share of itself
  /// where rewards have one sign, or to one of what differs from `own`.
  double solved() const { return direct / leaving; }
  double solved_above() const {
    const double whole = outward(direct + direct_error, leaving, share);
    return std::min(whole, up(own + outward(gain + error, leaving, share)));
  }
  double solved_below() const {
    const double whole = -outward(direct_error - direct, leaving, share);
    return std::max(whole, -up(-own + outward(error - gain, leaving, share)));
  }

 private:
  static double up(double number) {
    return std::nextafter(number, std::numeric_limits<double>::infinity());
  }
  /// At least `over` / (`under` · (1 ± share)).
  static double outward(double over, double under, double share) {
    if (over == 0) return 0;
    const double found = over / under;
    return up(found >= 0 ? found * (1 + 2 * share) : found * (1 - 2 * share));
  }
};

/// What a row's entries add up to, whatever the values.
struct RowExtent {
  double stay = 0;
  double left = 0;
  int entries = 0;

  /// Whether it leads to another state.
  bool include(bool is_own, double probability) {
    ++entries;
    (is_own ? stay : left) += probability;
    return !is_own;
  }
};

/// What they do with values.
struct RowTerms {
  double own;
  double others = 0;
  double magnitude = 0;    // of others
  double differences = 0;  // from own
  double difference = 0;   // what they would be without signs

  void include(double probability, double other) {
    const double apart = other - own;
    others = std::fma(probability, other, others);
    magnitude = std::fma(probability, std::abs(other), magnitude);
    differences = std::fma(probability, apart, differences);
    difference = std::fma(probability, std::abs(apart), difference);
  }

  /// `reward_error`: of `reward`, at most.
  RowSum sum(const RowExtent& extent, double reward, double reward_error, double discount) const {
    constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings
    constexpr double lost_below = std::numeric_limits<double>::denorm_min();
    const double rest = 1 - discount;
    // Each of n terms is rounded by half a unit as it comes to be, and by half of one of what there
    // is by then in each of n sums; so is their scale, and a few products after. Twice as much
    // covers the rounding of this bound. What underflows is lost besides.
    const double share = (extent.entries + 5) * unit;
    const auto error = [&](double all) {
      return all > 0 ? share * all + (extent.entries + 2) * lost_below : 0;
    };
    RowSum sum;
    sum.own = own;
    sum.scale = extent.stay + extent.left;
    sum.share = share;
    sum.leaving = sum.scale * rest + discount * extent.left;
    sum.direct = sum.scale * reward + discount * others;
    sum.direct_error = error(sum.scale * std::abs(reward) + discount * magnitude);
    sum.gain = sum.scale * (reward - rest * own) + discount * differences;
    sum.error =
        error(sum.scale * (std::abs(reward) + rest * std::abs(own)) + discount * difference);
    if (reward_error > 0) {
      sum.direct_error += 2 * sum.scale * reward_error;
      sum.error += 2 * sum.scale * reward_error;
    }
    return sum;
  }
};

/// Values `value` + `rest`, (state): where many small rewards add up, the rounding of `value` alone
/// is more than a step brings. `rest` may be empty: 0.
struct TwoPartValues {
  std::vector<double> value = {};
  std::vector<double> rest = {};

  void set(std::int32_t state, double to) {
    value[static_cast<std::size_t>(state)] = to;
    if (!rest.empty()) rest[static_cast<std::size_t>(state)] = 0;
  }
  void add(std::int32_t state, double correction) {
    double& high = value[static_cast<std::size_t>(state)];
    double& low = rest[static_cast<std::size_t>(state)];
    const double before = high;
    const double more = low + correction;
    high = before + more;
    const double added = high - before;
    low = (before - (high - added)) + (more - added);
  }
};

/// Rewards r + Σ p h(t) / Σ p − h(s) in place of a process's, for some h.
struct ShiftedRewards {
  std::vector<double> reward;  ///< (row)
  std::vector<double> error;   ///< of that, at most
};

/// The rows of a process, or of what it has been collapsed to, as they are stored: what the
/// collapsed process holds of merged probabilities is rounded, and its bounds would not be those of
/// the process. States and rows are those of solved().
template <class Real>
class RewardRows {
 public:
  /// `collapsed` of `process`, or null. Borrows both.
  RewardRows(const DecisionProcess<Real>& process, const CollapsedProcess<Real>* collapsed)
      : process_(process), collapsed_(collapsed), discount_(process.discount) {}
  /// `collapsed` of inner.solved() with rewards that are `shifted`. Borrows all.
  RewardRows(const RewardRows& inner, const CollapsedProcess<Real>& collapsed,
             const ShiftedRewards& shifted)
      : process_(inner.process_),
        collapsed_(&collapsed),
        discount_(inner.discount_),
        inner_(&inner),
        shifted_(&shifted) {}

  const DecisionProcess<Real>& solved() const {
    return collapsed_ == nullptr ? process_ : collapsed_->process;
  }
  double discount() const { return discount_; }
  double reward(std::int64_t row) const {
    if (shifted_ != nullptr) return shifted(shifted_->reward, row);
    return static_cast<double>(solved().reward[static_cast<std::size_t>(row)]);
  }
  /// Of that, at most.
  double reward_error(std::int64_t row) const {
    return shifted_ == nullptr ? 0 : shifted(shifted_->error, row);
  }
  bool is_shifted() const { return shifted_ != nullptr; }

  /// `value`: (state). `reward`: what the row brings.
  RowSum sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
             double reward) const;
  /// own, gain, error, leaving and scale of values in two parts.
  RowSum sum(std::int32_t state, std::int64_t row, const TwoPartValues& values,
             double reward) const;
  /// The same of two values at once: `lower` and `upper`.
  std::pair<RowSum, RowSum> sums(std::int32_t state, std::int64_t row,
                                 const std::vector<double>& lower, const std::vector<double>& upper,
                                 double reward) const;

  /// The same beside `own` in place of the state's value.
  RowSum sum_beside(double own, std::int32_t state, std::int64_t row,
                    const std::vector<double>& value, double reward) const;

  /// The same without what rounding can do, nor differences: direct, leaving and scale alone.
  RowSum rounded_sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                     double reward) const {
    double others = 0;
    double left = 0;
    double stay = 0;
    for_entries(row, [&](std::int32_t to, double probability) {
      if (to == state) {
        stay += probability;
      } else {
        others = std::fma(probability, value[static_cast<std::size_t>(to)], others);
        left += probability;
      }
    });
    RowSum sum;
    sum.scale = stay + left;
    sum.direct = sum.scale * reward + discount_ * others;
    sum.leaving = sum.scale * (1 - discount_) + discount_ * left;
    return sum;
  }

  /// Calls take(state, probability); a state may come more than once.
  template <class Take>
  void for_entries(std::int64_t row, const Take& take) const {
    if (collapsed_ == nullptr) return for_entries_of(process_, row, take);
    const std::int64_t origin = collapsed_->row_of[static_cast<std::size_t>(row)];
    // Its tree and its rests are the collapsed process's own.
    if (origin < 0) return for_entries_of(collapsed_->process, row, take);
    const auto take_here = [&](std::int32_t to, double probability) {
      take(collapsed_->state_of[static_cast<std::size_t>(to)], probability);
    };
    if (inner_ == nullptr) return for_entries_of(process_, origin, take_here);
    inner_->for_entries_once(origin, take_here);
  }

 private:
  template <class Take>
  static void for_entries_of(const DecisionProcess<Real>& process, std::int64_t row,
                             const Take& take) {
    const auto end = process.row_begin[static_cast<std::size_t>(row) + 1];
    for (auto n = process.row_begin[static_cast<std::size_t>(row)]; n < end; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      take(process.successor[entry], static_cast<double>(process.probability[entry]));
    }
  }

  /// Of an inner one, which has none within.
  template <class Take>
  void for_entries_once(std::int64_t row, const Take& take) const {
    if (collapsed_ == nullptr) return for_entries_of(process_, row, take);
    const std::int64_t origin = collapsed_->row_of[static_cast<std::size_t>(row)];
    if (origin < 0) return for_entries_of(collapsed_->process, row, take);
    for_entries_of(process_, origin, [&](std::int32_t to, double probability) {
      take(collapsed_->state_of[static_cast<std::size_t>(to)], probability);
    });
  }
  double shifted(const std::vector<double>& of_rows, std::int64_t row) const {
    const std::int64_t origin = collapsed_->row_of[static_cast<std::size_t>(row)];
    return origin < 0 ? 0 : of_rows[static_cast<std::size_t>(origin)];
  }

  const DecisionProcess<Real>& process_;
  const CollapsedProcess<Real>* collapsed_;
  double discount_;
  const RewardRows* inner_ = nullptr;
  const ShiftedRewards* shifted_ = nullptr;
};

template <class Real>
std::pair<RowSum, RowSum> RewardRows<Real>::sums(std::int32_t state, std::int64_t row,
                                                 const std::vector<double>& lower,
                                                 const std::vector<double>& upper,
                                                 double reward) const {
  RowTerms low{lower[static_cast<std::size_t>(state)]};
  RowTerms high{upper[static_cast<std::size_t>(state)]};
  RowExtent extent;
  for_entries(row, [&](std::int32_t to, double probability) {
    if (!extent.include(to == state, probability)) return;
    low.include(probability, lower[static_cast<std::size_t>(to)]);
    high.include(probability, upper[static_cast<std::size_t>(to)]);
  });
  return {low.sum(extent, reward, reward_error(row), discount_),
          high.sum(extent, reward, reward_error(row), discount_)};
}

template <class Real>
RowSum RewardRows<Real>::sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                             double reward) const {
  return sum_beside(value[static_cast<std::size_t>(state)], state, row, value, reward);
}

template <class Real>
RowSum RewardRows<Real>::sum(std::int32_t state, std::int64_t row, const TwoPartValues& values,
                             double reward) const {
  RowSum whole = sum(state, row, values.value, reward);
  if (values.rest.empty()) return whole;
  const RowSum rest = sum(state, row, values.rest, 0);
  whole.gain += rest.gain;
  whole.error += rest.error + std::numeric_limits<double>::epsilon() * std::abs(whole.gain);
  return whole;
}

template <class Real>
RowSum RewardRows<Real>::sum_beside(double own, std::int32_t state, std::int64_t row,
                                    const std::vector<double>& value, double reward) const {
  RowTerms terms{own};
  RowExtent extent;
  for_entries(row, [&](std::int32_t to, double probability) {
    if (extent.include(to == state, probability)) {
      terms.include(probability, value[static_cast<std::size_t>(to)]);
    }
  });
  return terms.sum(extent, reward, reward_error(row), discount_);
}

}  // namespace tidewise::mdp

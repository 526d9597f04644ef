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

/// What a row is worth by the values of states, in double: others + stay · (the state's own value).
struct RowSum {
  double others = 0;
  double stay = 0;   ///< the discounted probability of the state itself
  double error = 0;  ///< of `others`, at most, by rounding
  double stay_error = 0;

  double worth(double own) const { return std::fma(stay, own, others); }
  /// Whether worth / (1 − stay) can be had.
  bool leaves() const { return 1 - stay > 64 * stay_error; }
  /// The value of a state that has no other row: what it is once it has left itself.
  double solved() const { return others / (1 - stay); }
  /// The same, and worth(), by no rounding too small, or too great.
  double solved_above() const { return -quotient(-others); }
  double solved_below() const { return quotient(others); }
  double worth_above(double own) const { return worth(own) + error_of_worth(own); }
  double worth_below(double own) const { return worth(own) - error_of_worth(own); }

 private:
  static constexpr double unit = std::numeric_limits<double>::epsilon();

  double error_of_worth(double own) const {
    const double moved = std::abs(stay * own);
    return error + moved * stay_error + unit * (std::abs(others) + 2 * moved + error);
  }
  /// At most `numerator` / (1 − stay).
  double quotient(double numerator) const {
    const double least = numerator - error;
    const double leaving = 1 - stay;
    const double found = least / (least >= 0 ? leaving + stay_error : leaving - stay_error);
    return found - 4 * unit * (std::abs(found) + std::abs(numerator / leaving));
  }
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

  const DecisionProcess<Real>& solved() const {
    return collapsed_ == nullptr ? process_ : collapsed_->process;
  }
  double reward(std::int64_t row) const {
    return static_cast<double>(solved().reward[static_cast<std::size_t>(row)]);
  }

  /// `value`: (state). `reward`: what the row brings.
  RowSum sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
             double reward) const;

  /// The same of two values at once: `lower` and `upper`.
  std::pair<RowSum, RowSum> sums(std::int32_t state, std::int64_t row,
                                 const std::vector<double>& lower, const std::vector<double>& upper,
                                 double reward) const;
  /// The same without what rounding can do.
  RowSum rounded_sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                     double reward) const {
    RowSum sum;
    sum.others = reward;
    for_entries(row, [&](std::int32_t to, double probability) {
      if (to == state) {
        sum.stay += probability;
      } else {
        sum.others = std::fma(probability, value[static_cast<std::size_t>(to)], sum.others);
      }
    });
    sum.stay_error = 4 * unit;
    return sum;
  }

  /// Calls take(state, discounted probability); a state may come more than once.
  template <class Take>
  void for_entries(std::int64_t row, const Take& take) const {
    if (collapsed_ == nullptr) return for_entries_of(process_, row, take);
    const std::int64_t origin = collapsed_->row_of[static_cast<std::size_t>(row)];
    // Its tree and its rests are the collapsed process's own.
    if (origin < 0) return for_entries_of(collapsed_->process, row, take);
    for_entries_of(process_, origin, [&](std::int32_t to, double probability) {
      take(collapsed_->state_of[static_cast<std::size_t>(to)], probability);
    });
  }

 private:
  static constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings

  template <class Take>
  void for_entries_of(const DecisionProcess<Real>& process, std::int64_t row,
                      const Take& take) const {
    const auto end = process.row_begin[static_cast<std::size_t>(row) + 1];
    for (auto n = process.row_begin[static_cast<std::size_t>(row)]; n < end; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      take(process.successor[entry], discount_ * static_cast<double>(process.probability[entry]));
    }
  }

  static constexpr double lost_below = std::numeric_limits<double>::denorm_min();

  const DecisionProcess<Real>& process_;
  const CollapsedProcess<Real>* collapsed_;
  double discount_;
};

template <class Real>
RowSum RewardRows<Real>::sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                             double reward) const {
  return sums(state, row, value, value, reward).first;
}

template <class Real>
std::pair<RowSum, RowSum> RewardRows<Real>::sums(std::int32_t state, std::int64_t row,
                                                 const std::vector<double>& lower,
                                                 const std::vector<double>& upper,
                                                 double reward) const {
  double low = reward;
  double high = reward;
  double magnitude = std::abs(reward);  // of both
  double stay = 0;
  int entries = 0;
  int own_entries = 0;
  for_entries(row, [&](std::int32_t to, double probability) {
    ++entries;
    if (to == state) {
      stay += probability;
      ++own_entries;
      return;
    }
    const double least = lower[static_cast<std::size_t>(to)];
    const double most = upper[static_cast<std::size_t>(to)];
    low = std::fma(probability, least, low);
    high = std::fma(probability, most, high);
    magnitude = std::fma(probability, std::max(std::abs(least), std::abs(most)), magnitude);
  });
  // Each of n products and its discount are rounded by half a unit at most, of what there is by
  // then; twice that covers the rounding of this bound. What underflows is lost besides.
  const double error = magnitude > 0 ? (entries + 3) * (unit * magnitude + lost_below) : 0;
  const bool exact = own_entries == 0 || (own_entries == 1 && discount_ == 1);
  const double stay_error = exact ? unit * (1 - stay) : (own_entries + 2) * unit;
  return {{low, stay, error, stay_error}, {high, stay, error, stay_error}};
}

}  // namespace tidewise::mdp

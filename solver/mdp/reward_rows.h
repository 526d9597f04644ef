#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "solver/mdp/collapsed_process.h"
#include "solver/mdp/decision_process.h"

namespace tidewise {

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

  /// Calls take(state, discounted probability); a state may come more than once.
  template <class Take>
  void for_entries(std::int64_t row, const Take& take) const {
    const std::int64_t origin =
        collapsed_ == nullptr ? row : collapsed_->row_of[static_cast<std::size_t>(row)];
    const bool is_own = origin < 0;  // of the collapsed process alone
    const DecisionProcess<Real>& process = is_own ? collapsed_->process : process_;
    const auto at = static_cast<std::size_t>(is_own ? row : origin);
    for (auto n = process.row_begin[at]; n < process.row_begin[at + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const std::int32_t to = process.successor[entry];
      take(
          is_own || collapsed_ == nullptr ? to : collapsed_->state_of[static_cast<std::size_t>(to)],
          discount_ * static_cast<double>(process.probability[entry]));
    }
  }

 private:
  static constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings

  static constexpr double lost_below = std::numeric_limits<double>::denorm_min();

  const DecisionProcess<Real>& process_;
  const CollapsedProcess<Real>* collapsed_;
  double discount_;
};

template <class Real>
RowSum RewardRows<Real>::sum(std::int32_t state, std::int64_t row, const std::vector<double>& value,
                             double reward) const {
  RowSum sum;
  sum.others = reward;
  double magnitude = std::abs(reward);
  int entries = 0;
  int own_entries = 0;
  for_entries(row, [&](std::int32_t to, double probability) {
    ++entries;
    if (to == state) {
      sum.stay += probability;
      ++own_entries;
      return;
    }
    const double worth = value[static_cast<std::size_t>(to)];
    sum.others = std::fma(probability, worth, sum.others);
    magnitude = std::fma(probability, std::abs(worth), magnitude);
  });
  // Each of n products and its discount are rounded by half a unit at most, of what there is by
  // then; twice that covers the rounding of this bound. What underflows is lost besides.
  if (magnitude > 0) sum.error = (entries + 3) * (unit * magnitude + lost_below);
  const bool exact = own_entries == 0 || (own_entries == 1 && discount_ == 1);
  sum.stay_error = exact ? unit * (1 - sum.stay) : (own_entries + 2) * unit;
  return sum;
}

}  // namespace tidewise

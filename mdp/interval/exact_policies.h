#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mdp/interval/big_integer.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// whole · 2^exponent: what doubles, their sums and products are.
struct BinaryFraction {
  BigInteger whole = {};
  std::int64_t exponent = 0;

  static BinaryFraction of(double number) {
    if (number == 0) return {};
    constexpr int digits = std::numeric_limits<double>::digits;
    int exponent = 0;
    const auto mantissa =
        static_cast<std::int64_t>(std::ldexp(std::frexp(number, &exponent), digits));
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
    return {BigInteger(mantissa / (std::int64_t{1} << zeros)), exponent - digits + zeros};
  }
  BinaryFraction operator*(const BinaryFraction& other) const {
    return {whole * other.whole, exponent + other.exponent};
  }
  BinaryFraction& operator+=(const BinaryFraction& other) {
    if (other.whole.sign() == 0) return *this;
    if (whole.sign() == 0) return *this = other;
    const std::int64_t least = std::min(exponent, other.exponent);
    whole = over(least);
    whole += other.over(least);
    exponent = least;
    return *this;
  }
  /// This over 2^least, where that is whole.
  BigInteger over(std::int64_t least) const { return whole.shifted(exponent - least); }
};

/// The optimum of a small strongly connected component without any rounding, other states' values
/// being given: Howard's policy iteration in whole numbers. A policy's equations, times a power of
/// two, are whole, and so is what Bareiss's elimination makes of them; their solution is a quotient
/// of determinants. So it is known of each action whether it is better, no worse, or the same,
/// however seldom states are left and whatever cancels. An action is taken in the place of another
/// one only where it is better: policies so come to an end where the first one does and no loop
/// gains, and the last of them is the optimum of all that do. Source: Bareiss, "Sylvester's
/// identity and multistep integer-preserving Gaussian elimination", Mathematics of Computation 22,
/// 1968.
template <class Real>
class ExactPolicies {
 public:
  /// `states`: ascending; `group_of`, (state), tells them from others. Borrows all.
  ExactPolicies(const RewardRows<Real>& rows, const std::vector<std::int32_t>& states,
                const std::vector<std::int32_t>& group_of)
      : rows_(rows),
        states_(states),
        group_of_(group_of),
        group_(group_of[static_cast<std::size_t>(states[0])]) {}

  /// Whether the optimum is the same beside either of two values, (state).
  bool is_same_beside(const std::vector<double>& one, const std::vector<double>& other) const {
    const DecisionProcess<Real>& process = rows_.solved();
    bool is_same = true;
    for (const std::int32_t state : states_) {
      for (std::int64_t row = process.row(state, 0); row < process.row(state + 1, 0); ++row) {
        if (!process.is_allowed(row)) continue;
        is_same = is_same && rows_.reward_error(row) == 0;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          const auto t = static_cast<std::size_t>(to);
          is_same = is_same && (!(probability > 0) || place_of(to) != out || one[t] == other[t]);
        });
      }
    }
    return is_same;
  }

  /// The optimum lies between `lower` and `upper`, (place): numbers next to each other, or the
  /// same.
  struct Found {
    std::vector<double> lower;
    std::vector<double> upper;
  };

  /// `outside`: values, (state). `side`: −1, 0 or 1, of the errors of rewards which to add.
  /// `action`, (state): leads out of the component, and becomes the best. `most_work`: products of
  /// 32-bit numbers, from which those that were taken are subtracted. False where these are too
  /// few, a policy goes round for ever, a value outside is not known, or one within leaves the
  /// range of double precision.
  bool solve(const std::vector<double>& outside, int side, double& most_work,
             std::vector<std::int32_t>& action, Found& found) {
    if (!lay_out(outside, side)) return false;
    constexpr int most_improvements = 100;
    for (int improvement = 0; improvement < most_improvements; ++improvement) {
      if (!evaluate(action, most_work)) return false;
      if (!improve(action)) return round(found);
    }
    return false;
  }

 private:
  struct Entry {
    std::int32_t to;  // place
    BigInteger share;
  };
  /// own · v(s) = right + Σ share · v(to).
  struct Row {
    std::int32_t action;
    BigInteger own;
    BigInteger right;
    std::vector<Entry> entries;
  };

  static constexpr std::int32_t out = -1;

  std::int32_t place_of(std::int32_t state) const {
    if (group_of_[static_cast<std::size_t>(state)] != group_) return out;
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }

  /// Whether all that counts is finite.
  bool lay_out(const std::vector<double>& outside, int side) {
    const DecisionProcess<Real>& process = rows_.solved();
    laid_out_.assign(states_.size(), {});
    bool is_finite = true;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for (std::int32_t action = 0; action < process.action_count; ++action) {
        const std::int64_t row = process.row(states_[n], action);
        if (!process.is_allowed(row)) continue;
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          is_finite = is_finite && (!(probability > 0) || place_of(to) != out ||
                                    std::isfinite(outside[static_cast<std::size_t>(to)]));
        });
        if (!is_finite) return false;
        laid_out_[n].push_back(row_of(static_cast<std::int32_t>(n), action, row, outside, side));
      }
    }
    return true;
  }

  Row row_of(std::int32_t place, std::int32_t action, std::int64_t row,
             const std::vector<double>& outside, int side) {
    const BinaryFraction discount = BinaryFraction::of(rows_.discount());
    BinaryFraction scale;
    BinaryFraction own;
    BinaryFraction right;
    std::vector<std::pair<std::int32_t, BinaryFraction>> entries;
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      if (!(probability > 0)) return;
      const BinaryFraction share = BinaryFraction::of(probability);
      scale += share;
      const std::int32_t at = place_of(to);
      if (at == place) return;
      const BinaryFraction kept = discount * share;
      own += kept;
      if (at == out) {
        right += kept * BinaryFraction::of(outside[static_cast<std::size_t>(to)]);
      } else {
        entries.emplace_back(at, kept);
      }
    });
    BinaryFraction lost = BinaryFraction::of(1);
    lost += BinaryFraction::of(-1) * discount;
    own += scale * lost;
    BinaryFraction reward = BinaryFraction::of(rows_.reward(row));
    reward += BinaryFraction::of(side * rows_.reward_error(row));
    right += scale * reward;
    std::int64_t least = own.exponent;
    if (right.whole.sign() != 0) least = std::min(least, right.exponent);
    for (const auto& [to, share] : entries) least = std::min(least, share.exponent);
    Row made{action, own.over(least), right.over(least), {}};
    for (const auto& [to, share] : entries) made.entries.push_back({to, share.over(least)});
    return made;
  }

  const Row& row_taken(std::size_t place, const std::vector<std::int32_t>& action) const {
    const std::int32_t taken = action[static_cast<std::size_t>(states_[place])];
    return *std::find_if(laid_out_[place].begin(), laid_out_[place].end(),
                         [&](const Row& row) { return row.action == taken; });
  }

  /// over_ and under_: of the policy's values numerators and their one denominator.
  bool evaluate(const std::vector<std::int32_t>& action, double& most_work) {
    const std::size_t count = states_.size();
    const auto product = [&](const BigInteger& one, const BigInteger& other) {
      most_work -= static_cast<double>(one.limb_count()) * static_cast<double>(other.limb_count());
      return one * other;
    };
    std::vector<std::vector<BigInteger>> matrix(count, std::vector<BigInteger>(count + 1));
    for (std::size_t n = 0; n < count; ++n) {
      const Row& row = row_taken(n, action);
      matrix[n][n] = row.own;
      matrix[n][count] = row.right;
      for (const Entry& entry : row.entries) {
        matrix[n][static_cast<std::size_t>(entry.to)] -= entry.share;
      }
    }
    BigInteger before(1);
    for (std::size_t k = 0; k < count; ++k) {
      const BigInteger& pivot = matrix[k][k];  // a principal minor: above 0 where all are left
      if (pivot.sign() <= 0 || !(most_work > 0)) return false;
      for (std::size_t n = k + 1; n < count; ++n) {
        const BigInteger factor = std::exchange(matrix[n][k], {});
        for (std::size_t m = k + 1; m <= count; ++m) {
          BigInteger made = product(pivot, matrix[n][m]);
          made -= product(factor, matrix[k][m]);
          matrix[n][m] = made.divided_exactly(before);
        }
      }
      before = pivot;
    }
    under_ = before;
    over_.assign(count, {});
    for (std::size_t n = count; n-- > 0;) {
      BigInteger sum = product(under_, matrix[n][count]);
      for (std::size_t m = n + 1; m < count; ++m) sum -= product(matrix[n][m], over_[m]);
      over_[n] = sum.divided_exactly(matrix[n][n]);
    }
    return true;
  }

  /// Takes better actions, of several that which brings most, nearly; whether there were any.
  bool improve(std::vector<std::int32_t>& action) const {
    bool improved = false;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      double most = -1;
      for (const Row& row : laid_out_[n]) {
        BigInteger gain = under_ * row.right;
        gain -= row.own * over_[n];
        for (const Entry& entry : row.entries) {
          gain += entry.share * over_[static_cast<std::size_t>(entry.to)];
        }
        if (gain.sign() <= 0) continue;
        const double brings = row.own.sign() == 0 ? std::numeric_limits<double>::infinity()
                                                  : nearly(gain, row.own * under_);
        if (brings <= most) continue;
        most = brings;
        action[static_cast<std::size_t>(states_[n])] = row.action;
        improved = true;
      }
    }
    return improved;
  }

  static double nearly(const BigInteger& over, const BigInteger& under) {
    const std::int64_t exponent = over.bit_count() - under.bit_count();
    constexpr std::int64_t most_exponent = 4000;  // more than doubles have
    return std::ldexp(over.fraction() / under.fraction(),
                      static_cast<int>(std::clamp(exponent, -most_exponent, most_exponent)));
  }

  /// The sign of over / under − number, under above 0.
  static int sign_beyond(const BigInteger& over, const BigInteger& under, double number) {
    const BinaryFraction bound = BinaryFraction::of(number);
    const BigInteger product = bound.whole * under;
    BigInteger rest = bound.exponent < 0 ? over.shifted(-bound.exponent) : over;
    rest -= bound.exponent > 0 ? product.shifted(bound.exponent) : product;
    return rest.sign();
  }

  bool round(Found& found) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    found.lower.resize(over_.size());
    found.upper.resize(over_.size());
    for (std::size_t n = 0; n < over_.size(); ++n) {
      double& low = found.lower[n];
      double& high = found.upper[n];
      low = high = over_[n].sign() == 0 ? 0 : nearly(over_[n], under_);
      if (!std::isfinite(low)) return false;
      while (sign_beyond(over_[n], under_, low) < 0) low = std::nextafter(low, -infinity);
      while (sign_beyond(over_[n], under_, high) > 0) high = std::nextafter(high, infinity);
      if (!std::isfinite(low) || !std::isfinite(high)) return false;
    }
    return true;
  }

  const RewardRows<Real>& rows_;
  const std::vector<std::int32_t>& states_;
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  std::vector<std::vector<Row>> laid_out_;  // (place)
  std::vector<BigInteger> over_;            // (place)
  BigInteger under_;
};

}  // namespace tidewise::mdp

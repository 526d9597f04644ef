#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise::mdp {

/// A whole number of any length.
class BigInteger {
 public:
  BigInteger() = default;
  /// mantissa · 2^shift, shift ≥ 0.
  explicit BigInteger(std::int64_t mantissa, std::int64_t shift = 0);

  /// −1, 0 or 1.
  int sign() const { return limbs_.empty() ? 0 : is_negative_ ? -1 : 1; }
  /// Of its size; 0 of 0.
  std::int64_t bit_count() const;
  /// This over 2^bit_count(), nearly: at least a half and less than 1, with its sign; 0 of 0.
  double fraction() const;

  /// 32-bit numbers that hold it.
  std::size_t limb_count() const { return limbs_.size(); }

  BigInteger& operator+=(const BigInteger& other) { return add(other, other.is_negative_); }
  BigInteger& operator-=(const BigInteger& other) { return add(other, !other.is_negative_); }
  BigInteger operator*(const BigInteger& other) const;
  /// This · 2^bits, bits ≥ 0.
  BigInteger shifted(std::int64_t bits) const;
  /// By a divisor, not 0, that leaves nothing over: from the lowest bits up, where each one follows
  /// from those below. Source: Jebelean, "An algorithm for exact division", Journal of Symbolic
  /// Computation 15, 1993.
  BigInteger divided_exactly(const BigInteger& divisor) const;

 private:
  using Limb = std::uint32_t;
  static constexpr int limb_bits = 32;

  BigInteger& add(const BigInteger& other, bool is_negative);
  bool is_smaller(const BigInteger& other) const;
  void trim();

  std::vector<Limb> limbs_;  // of the size, the lowest first; the last is not 0
  bool is_negative_ = false;
};

}  // namespace tidewise::mdp

#include "mdp/interval/big_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace tidewise::mdp {

BigInteger::BigInteger(std::int64_t mantissa, std::int64_t shift) : is_negative_(mantissa < 0) {
  auto size = static_cast<std::uint64_t>(mantissa);
  if (mantissa < 0) size = ~size + 1;
  limbs_ = {static_cast<Limb>(size), static_cast<Limb>(size >> limb_bits)};
  trim();
  if (shift > 0) *this = shifted(shift);
}

void BigInteger::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  if (limbs_.empty()) is_negative_ = false;
}

std::int64_t BigInteger::bit_count() const {
  if (limbs_.empty()) return 0;
  return static_cast<std::int64_t>(limbs_.size()) * limb_bits - std::countl_zero(limbs_.back());
}

double BigInteger::fraction() const {
  double size = 0;
  const std::size_t first = limbs_.size() > 3 ? limbs_.size() - 3 : 0;
  for (std::size_t n = first; n < limbs_.size(); ++n) {
    size += std::ldexp(limbs_[n], static_cast<int>(n - first) * limb_bits);
  }
  const std::int64_t below = static_cast<std::int64_t>(first) * limb_bits;
  size = std::ldexp(size, static_cast<int>(below - bit_count()));
  return is_negative_ ? -size : size;
}

bool BigInteger::is_smaller(const BigInteger& other) const {
  if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
  return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                      other.limbs_.rend());
}

/// Adds the size of `other` with this sign.
BigInteger& BigInteger::add(const BigInteger& other, bool is_negative) {
  if (other.limbs_.empty()) return *this;
  if (limbs_.empty()) is_negative_ = is_negative;
  const bool adds = is_negative_ == is_negative;
  const bool turns = !adds && is_smaller(other);
  const std::vector<Limb>& low = turns ? limbs_ : other.limbs_;
  if (!turns && limbs_.size() < low.size()) limbs_.resize(low.size(), 0);
  const std::vector<Limb>& high = turns ? other.limbs_ : limbs_;
  std::vector<Limb> result(high.size());
  std::int64_t carry = 0;
  for (std::size_t n = 0; n < high.size(); ++n) {
    const std::int64_t part = n < low.size() ? low[n] : 0;
    carry += std::int64_t{high[n]} + (adds ? part : -part);
    result[n] = static_cast<Limb>(static_cast<std::uint64_t>(carry));
    carry >>= limb_bits;
  }
  if (carry > 0) result.push_back(static_cast<Limb>(carry));
  limbs_ = std::move(result);
  if (turns) is_negative_ = is_negative;
  trim();
  return *this;
}

BigInteger BigInteger::operator*(const BigInteger& other) const {
  BigInteger product;
  if (limbs_.empty() || other.limbs_.empty()) return product;
  product.is_negative_ = is_negative_ != other.is_negative_;
  product.limbs_.assign(limbs_.size() + other.limbs_.size(), 0);
  for (std::size_t n = 0; n < limbs_.size(); ++n) {
    std::uint64_t carry = 0;
    for (std::size_t m = 0; m < other.limbs_.size(); ++m) {
      carry += std::uint64_t{limbs_[n]} * other.limbs_[m] + product.limbs_[n + m];
      product.limbs_[n + m] = static_cast<Limb>(carry);
      carry >>= limb_bits;
    }
    product.limbs_[n + other.limbs_.size()] = static_cast<Limb>(carry);
  }
  product.trim();
  return product;
}

BigInteger BigInteger::shifted(std::int64_t bits) const {
  BigInteger result;
  if (limbs_.empty()) return result;
  result.is_negative_ = is_negative_;
  result.limbs_.assign(static_cast<std::size_t>(bits / limb_bits), 0);
  std::uint64_t carry = 0;
  for (const Limb limb : limbs_) {
    carry |= std::uint64_t{limb} << (bits % limb_bits);
    result.limbs_.push_back(static_cast<Limb>(carry));
    carry >>= limb_bits;
  }
  result.limbs_.push_back(static_cast<Limb>(carry));
  result.trim();
  return result;
}

BigInteger BigInteger::divided_exactly(const BigInteger& divisor) const {
  BigInteger quotient;
  if (limbs_.empty()) return quotient;
  // Without the zeros that the divisor ends with, which this ends with as well.
  std::size_t skipped = 0;
  while (divisor.limbs_[skipped] == 0) ++skipped;
  const int zeros = std::countr_zero(divisor.limbs_[skipped]);
  const auto limb_of = [&](const BigInteger& number, std::size_t n) {
    const std::size_t at = n + skipped;
    const auto part = [&](std::size_t k) {
      return k < number.limbs_.size() ? std::uint64_t{number.limbs_[k]} : 0;
    };
    return static_cast<Limb>((part(at) | part(at + 1) << limb_bits) >> zeros);
  };
  std::vector<Limb> under(divisor.limbs_.size() - skipped);
  for (std::size_t n = 0; n < under.size(); ++n) under[n] = limb_of(divisor, n);
  while (under.back() == 0) under.pop_back();
  std::vector<Limb> rest(limbs_.size() - skipped - under.size() + 1);
  for (std::size_t n = 0; n < rest.size(); ++n) rest[n] = limb_of(*this, n);
  Limb inverse = 1;  // of under[0] modulo 2^32: each round doubles the bits that are right
  for (int round = 0; round < 5; ++round) inverse *= 2 - under[0] * inverse;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const Limb share = rest[n] * inverse;
    std::uint64_t carry = 0;
    for (std::size_t m = 0; m < under.size() && n + m < rest.size(); ++m) {
      carry += std::uint64_t{share} * under[m];
      const auto low = static_cast<Limb>(carry);
      carry >>= limb_bits;
      if (rest[n + m] < low) ++carry;
      rest[n + m] -= low;
    }
    for (std::size_t m = n + under.size(); carry > 0 && m < rest.size(); ++m) {
      const auto low = static_cast<Limb>(carry);
      carry = rest[m] < low ? 1 : 0;
      rest[m] -= low;
    }
    quotient.limbs_.push_back(share);
  }
  quotient.is_negative_ = is_negative_ != divisor.is_negative_;
  quotient.trim();
  return quotient;
}

}  // namespace tidewise::mdp

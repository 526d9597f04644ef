#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tidewise {

/// A quantile of the magnitudes of numbers that are too many to keep: exact, by two passes over
/// them, in half a megabyte. Bits of floats that are not negative are in the order of the floats;
/// the first pass counts by the upper half of the bits, the second, within one such bin, by the
/// lower.
class MagnitudeQuantile {
 public:
  MagnitudeQuantile() : count_(bins, 0) {}

  /// Adds a number in the first pass.
  void count(float value) {
    ++count_[bits_of(value) >> 16];
    ++total_;
  }
  /// Ends the first pass. The quantile is the smallest magnitude that `share` of them do not
  /// exceed.
  void begin_second_pass(double share) {
    rank_ = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(total_)));
    rank_ = rank_ < 1 ? 1 : rank_;
    for (bin_ = 0; bin_ + 1 < bins && rank_ > count_[bin_]; ++bin_) rank_ -= count_[bin_];
    count_.assign(bins, 0);
  }
  /// Adds a number in the second pass, over the same numbers in any order.
  void refine(float value) {
    const std::uint32_t bits = bits_of(value);
    if (bits >> 16 == bin_) ++count_[bits & 0xFFFFu];
  }
  /// The quantile; 0 without numbers.
  float result() const {
    if (total_ == 0) return 0;
    std::int64_t left = rank_;
    std::uint32_t lower_bits = 0;
    for (; lower_bits + 1 < bins && left > count_[lower_bits]; ++lower_bits)
      left -= count_[lower_bits];
    return std::bit_cast<float>((bin_ << 16) | lower_bits);
  }

 private:
  static constexpr std::uint32_t bins = 1u << 16;
  static std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(std::abs(value));
  }

  std::vector<std::int64_t> count_;
  std::int64_t total_ = 0;
  std::int64_t rank_ = 1;
  std::uint32_t bin_ = 0;
};

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/host_device.h"
#include "base/random.h"

namespace tidewise {

/// A standard normal number for a counter, by Box and Muller (1958); the same counter gives the
/// same number.
TIDEWISE_HOST_DEVICE inline double standard_normal(const Philox& random, std::uint32_t c0,
                                                   std::uint32_t c1, std::uint32_t c2 = 0) {
  const Philox::Words words = random(c0, c1, c2);
  // 1 − u lies in (0, 1], where the logarithm is finite; 53 bits reach 8.6 deviations.
  const std::uint64_t bits = (std::uint64_t{words.word[0]} << 21) ^ (words.word[1] >> 11);
  const double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(bits) * 0x1p-53));
  return radius * std::cos(2 * std::numbers::pi * to_unit(words.word[2]));
}

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/host_device.h"

namespace tidewise {

// Logarithm, sine and cosine from additions, multiplications, divisions and std::fma only. IEEE 754
// defines their rounding, so the bits are the same on every host and device, unlike those of C
// libraries. The error is a few units in the last place.

/// ln x. Requires a normal number x > 0.
TIDEWISE_HOST_DEVICE inline double same_bits_log(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  // x = m · 2^e with m in [√½, √2): then |s| = |(m−1)/(m+1)| < 0.1716 and
  // ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …), whose terms beyond s²³ are below 1e-18.
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdull;
  const auto exponent = static_cast<std::int64_t>(bits - root_half) >> 52;
  bits -= static_cast<std::uint64_t>(exponent) << 52;
  double m = 0;
  std::memcpy(&m, &bits, sizeof m);
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 1.0 / 23;
  for (std::int32_t n = 21; n > 1; n -= 2) sum = std::fma(sum, square, 1.0 / n);
  // ln 2 in two parts, the first short enough that its product with e is exact.
  constexpr double ln2_high = 0x1.62e42fefa38p-1;
  constexpr double ln2_low = 0x1.ef35793c7673p-45;
  const auto e = static_cast<double>(exponent);
  const double rest = std::fma(2 * s * square, sum, e * ln2_low);
  return std::fma(e, ln2_high, 2 * s + rest);
}

/// cos and sin of an angle.
struct Direction {
  double cosine = 1;
  double sine = 0;
};

/// The direction of an angle [rad], of a few turns at most.
TIDEWISE_HOST_DEVICE inline Direction same_bits_direction(double angle) {
  constexpr double quarter_high = 0x1.921fb54442d18p+0;  // π/2 in two parts
  constexpr double quarter_low = 0x1.1a62633145c07p-54;
  const double quarters = std::floor(angle / quarter_high + 0.5);
  double x = std::fma(-quarters, quarter_high, angle);  // |x| <= π/4
  x = std::fma(-quarters, quarter_low, x);
  const double square = x * x;
  // Taylor's series; the first terms left out are below 1e-19.
  double sine = -1.0 / 121645100408832000.0;               // 1/19!
  sine = std::fma(sine, square, 1.0 / 355687428096000.0);  // 1/17!
  sine = std::fma(sine, square, -1.0 / 1307674368000.0);   // 1/15!
  sine = std::fma(sine, square, 1.0 / 6227020800.0);       // 1/13!
  sine = std::fma(sine, square, -1.0 / 39916800.0);        // 1/11!
  sine = std::fma(sine, square, 1.0 / 362880.0);           // 1/9!
  sine = std::fma(sine, square, -1.0 / 5040.0);            // 1/7!
  sine = std::fma(sine, square, 1.0 / 120.0);              // 1/5!
  sine = std::fma(sine, square, -1.0 / 6.0);               // 1/3!
  sine = std::fma(x * square, sine, x);
  double cosine = 1.0 / 2432902008176640000.0;                   // 1/20!
  cosine = std::fma(cosine, square, -1.0 / 6402373705728000.0);  // 1/18!
  cosine = std::fma(cosine, square, 1.0 / 20922789888000.0);     // 1/16!
  cosine = std::fma(cosine, square, -1.0 / 87178291200.0);       // 1/14!
  cosine = std::fma(cosine, square, 1.0 / 479001600.0);          // 1/12!
  cosine = std::fma(cosine, square, -1.0 / 3628800.0);           // 1/10!
  cosine = std::fma(cosine, square, 1.0 / 40320.0);              // 1/8!
  cosine = std::fma(cosine, square, -1.0 / 720.0);               // 1/6!
  cosine = std::fma(cosine, square, 1.0 / 24.0);                 // 1/4!
  cosine = std::fma(cosine, square, -0.5);
  cosine = std::fma(cosine, square, 1.0);
  switch (static_cast<std::int32_t>(quarters) & 3) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace tidewise

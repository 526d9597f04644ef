#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/host_device.h"

namespace tidewise {

// The realizations' own part of a step, Σ_m coefficient_m · mode_m, as an exact sum of integers
// (docs/model.md, 1.3), so that no order of summation and no kind of arithmetic changes a bit of
// it. Coefficients are rounded to 14 bits of their mode's greatest, and the modes of a cell to as
// many of the cell's greatest as leaves the sum of M modes within 28 bits:
//   c̃ = round(c · (Q / C)),  m̃ = round(mode · f · 2^s),  D = (Σ c̃ · m̃ + 2^(s−1)) >> s,
// with C the greatest |c| of the mode, f = 2^b · Δt/dx · C / Q, and s of each cell and axis by
// itself: the greatest |mode| · f · 2^s lies between 2^(10−e) and 2^(11−e), where 2^(3+e) ≥ M, or
// below that where s is 22. All in float32 by single operations; roundings to even.

/// Q: c̃ and m̃ split into a multiple of 128 and a rest, both within int8.
inline constexpr std::int32_t greatest_coefficient = 127 * 128;
inline constexpr std::int32_t greatest_spread_shift = 22;

/// What the coefficients and modes of one mode are multiplied by.
struct ModeScale {
  float coefficient = 0;  ///< Q / C; 0 where C is 0 or next to it
  float x = 0;            ///< f along x
  float y = 0;
};

/// `bins_x`, `bins_y`: 2^b · Δt/dx and 2^b · Δt/dy, what turns a velocity into bins.
TIDEWISE_HOST_DEVICE inline ModeScale mode_scale(float greatest, double bins_x, double bins_y) {
  constexpr float next_to_nothing = 1e-30F;  // its reciprocal is still a number
  if (!(greatest > next_to_nothing)) return {};
  const double unit = static_cast<double>(greatest) / greatest_coefficient;
  return {static_cast<float>(greatest_coefficient) / greatest, static_cast<float>(bins_x * unit),
          static_cast<float>(bins_y * unit)};
}

namespace spread {

TIDEWISE_HOST_DEVICE inline std::int32_t nearest(float value) {
#if defined(__CUDA_ARCH__)
  return __float2int_rn(value);
#else
  return static_cast<std::int32_t>(std::nearbyint(value));
#endif
}

/// a · b, never fused with what comes after.
TIDEWISE_HOST_DEVICE inline float product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

/// 2^n, for normal numbers.
TIDEWISE_HOST_DEVICE inline float power_of_two(std::int32_t n) {
  const std::int32_t bits = (n + 127) << 23;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// ⌊log2 of a positive number⌋; −127 for 0 and what is no normal number.
TIDEWISE_HOST_DEVICE inline std::int32_t exponent(float value) {
  std::int32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return ((bits >> 23) & 255) - 127;
}

}  // namespace spread

/// c̃. `scale`: ModeScale::coefficient.
TIDEWISE_HOST_DEVICE inline std::int32_t integer_coefficient(float coefficient, float scale) {
  const std::int32_t value = spread::nearest(spread::product(coefficient, scale));
  return value > greatest_coefficient
             ? greatest_coefficient
             : (value < -greatest_coefficient ? -greatest_coefficient : value);
}

/// |mode| · f, of which a cell's greatest decides on s.
TIDEWISE_HOST_DEVICE inline float mode_reach(float mode, float factor) {
  return std::fabs(spread::product(mode, factor));
}

/// s of one cell and axis. `greatest`: of all its modes, mode_reach().
TIDEWISE_HOST_DEVICE inline std::int32_t spread_shift(float greatest, std::int32_t mode_count) {
  std::int32_t shift = 10 - spread::exponent(greatest);
  for (std::int32_t modes = 8; modes < mode_count; modes *= 2) --shift;
  return shift < 2 ? 2 : (shift > greatest_spread_shift ? greatest_spread_shift : shift);
}

/// m̃, at most 2^11 where the flow is a finite number.
TIDEWISE_HOST_DEVICE inline std::int32_t integer_mode(float mode, float factor,
                                                      std::int32_t shift) {
  return spread::nearest(
      spread::product(spread::product(mode, factor), spread::power_of_two(shift)));
}

/// Finds s and gives m̃ of each mode to put(m, m̃). `mode` is strided by cells; factor(m): f.
template <class Factor, class Put>
TIDEWISE_HOST_DEVICE std::int32_t integer_modes(const float* mode, std::size_t stride,
                                                std::int32_t mode_count, const Factor& factor,
                                                const Put& put) {
  float greatest = 0;
  for (std::int32_t m = 0; m < mode_count; ++m) {
    const float reach = mode_reach(mode[static_cast<std::size_t>(m) * stride], factor(m));
    greatest = reach > greatest ? reach : greatest;
  }
  const std::int32_t shift = spread_shift(greatest, mode_count);
  for (std::int32_t m = 0; m < mode_count; ++m) {
    put(m, integer_mode(mode[static_cast<std::size_t>(m) * stride], factor(m), shift));
  }
  return shift;
}

/// D of a sum of c̃ · m̃.
TIDEWISE_HOST_DEVICE inline std::int32_t bins_of_sum(std::int32_t sum, std::int32_t shift) {
  return (sum + (1 << (shift - 1))) >> shift;
}

}  // namespace tidewise

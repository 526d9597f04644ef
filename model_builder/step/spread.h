#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/host_device.h"

namespace tidewise {

// The realizations' part of a step, Σ_m coefficient_m · mode_m, as an exact sum of integers
// (docs/model.md, 1.3), so that no order of summation and no kind of arithmetic changes its bits.
// Coefficients are rounded to 14 bits relative to their mode's greatest, and the modes of a cell,
// relative to the cell's greatest, to as many bits as keep the sum of M modes within 28 bits:
//   c̃ = round(c · (Q / C)),  m̃ = round(mode · f · 2^s),  D = (Σ c̃ · m̃ + 2^(s−1)) >> s,
// where C is the greatest |c| of the mode, f = 2^b · Δt/dx · C / Q, and s depends on cell and axis:
// the greatest |mode| · f · 2^s is between 2^(10−e) and 2^(11−e), where 2^(3+e) ≥ M, or below that
// if s is 22. The factors are computed in float32, and each operation rounds to even.

/// Q: c̃ and m̃ are split into a multiple of 128 and a rest, both within int8.
inline constexpr std::int32_t greatest_coefficient = 127 * 128;
/// Limit of s.
inline constexpr std::int32_t greatest_spread_shift = 22;

/// Factors of one mode's coefficients and fields.
struct ModeScale {
  float coefficient = 0;  ///< Q / C; 0 if C is 0 or nearly 0
  float x = 0;            ///< f along x
  float y = 0;
};

/// Factors of a mode. `max`: C. `bins_x`, `bins_y`: 2^b · Δt/dx and 2^b · Δt/dy, factors from a
/// velocity to bins.
TIDEWISE_HOST_DEVICE inline ModeScale mode_scale(float max, double bins_x, double bins_y) {
  constexpr float smallest_max = 1e-30F;  // its reciprocal is still finite
  if (!(max > smallest_max)) return {};
  const double unit = static_cast<double>(max) / greatest_coefficient;
  return {static_cast<float>(greatest_coefficient) / max, static_cast<float>(bins_x * unit),
          static_cast<float>(bins_y * unit)};
}

namespace spread {

/// Rounds to the nearest integer, ties to even.
TIDEWISE_HOST_DEVICE inline std::int32_t nearest(float value) {
#if defined(__CUDA_ARCH__)
  return __float2int_rn(value);
#else
  return static_cast<std::int32_t>(std::nearbyint(value));
#endif
}

/// a · b, never fused with a following operation.
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

/// ⌊log2 of a positive number⌋; −127 for 0 and numbers that are not normal.
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

/// |mode| · f; the greatest of a cell determines s.
TIDEWISE_HOST_DEVICE inline float mode_reach(float mode, float factor) {
  return std::fabs(spread::product(mode, factor));
}

/// s of one cell and axis. `max`: maximum of mode_reach() over the cell's modes.
TIDEWISE_HOST_DEVICE inline std::int32_t spread_shift(float max, std::int32_t mode_count) {
  std::int32_t shift = 10 - spread::exponent(max);
  for (std::int32_t modes = 8; modes < mode_count; modes *= 2) --shift;
  return shift < 2 ? 2 : (shift > greatest_spread_shift ? greatest_spread_shift : shift);
}

/// m̃, at most 2^11 if the flow is finite.
TIDEWISE_HOST_DEVICE inline std::int32_t integer_mode(float mode, float factor,
                                                      std::int32_t shift) {
  return spread::nearest(
      spread::product(spread::product(mode, factor), spread::power_of_two(shift)));
}

/// Finds s and passes m̃ of each mode to put(m, m̃). `mode` is strided by cells; factor(m): f.
template <class Factor, class Put>
TIDEWISE_HOST_DEVICE std::int32_t integer_modes(const float* mode, std::size_t stride,
                                                std::int32_t mode_count, const Factor& factor,
                                                const Put& put) {
  float max = 0;
  for (std::int32_t m = 0; m < mode_count; ++m) {
    const float reach = mode_reach(mode[static_cast<std::size_t>(m) * stride], factor(m));
    max = reach > max ? reach : max;
  }
  const std::int32_t shift = spread_shift(max, mode_count);
  for (std::int32_t m = 0; m < mode_count; ++m) {
    put(m, integer_mode(mode[static_cast<std::size_t>(m) * stride], factor(m), shift));
  }
  return shift;
}

/// D from a sum of c̃ · m̃.
TIDEWISE_HOST_DEVICE inline std::int32_t bins_of_sum(std::int32_t sum, std::int32_t shift) {
  return (sum + (1 << (shift - 1))) >> shift;
}

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"

namespace tidewise {

/// Fixed-point displacements have 2^20 units per cell.
inline constexpr std::int32_t fraction_bits = 20;
inline constexpr std::int32_t one_cell = 1 << fraction_bits;
inline constexpr std::int32_t half_cell = one_cell / 2;
/// Displacements of this number of cells per step, including the action, are refused, because int32
/// would overflow.
inline constexpr std::int32_t greatest_displacement = 1024;  // [cells]

/// A displacement in units of 2^-20 of a cell.
struct Displacement {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
/// An offset in whole cells.
struct Offset {
  std::int32_t dx = 0;  ///< cells eastwards
  std::int32_t dy = 0;  ///< cells northwards
};

/// The vehicle's error in a step, discretized to four equally likely displacements (docs/model.md,
/// 1.7). 0 without an error.
struct DisplacementError {
  Displacement along;   ///< parallel to the heading
  Displacement across;  ///< to the left of the heading
};
/// Number of displacements of an action with error.
inline constexpr std::int32_t error_draws = 4;

/// A + along, A − along, A + across, A − across, for `draw` 0 … 3.
TIDEWISE_HOST_DEVICE inline Displacement with_error(Displacement a, const DisplacementError& error,
                                                    std::int32_t draw) {
  const Displacement& part = draw < 2 ? error.along : error.across;
  const std::int32_t sign = draw % 2 == 0 ? 1 : -1;
  return {a.x + sign * part.x, a.y + sign * part.y};
}

/// Factors from a velocity to a displacement.
struct DisplacementScale {
  float x = 0;  ///< float32(Δt/dx · 2^20)
  float y = 0;
  double cells_x = 0;  ///< Δt/dx
  double cells_y = 0;

  DisplacementScale() = default;
  DisplacementScale(const Grid& grid, const TimeAxis& time)
      : x(static_cast<float>(time.step / grid.dx * one_cell)),
        y(static_cast<float>(time.step / grid.dy * one_cell)),
        cells_x(time.step / grid.dx),
        cells_y(time.step / grid.dy) {}

  /// 2^b · Δt/dx and 2^b · Δt/dy, for mode_scale().
  TIDEWISE_HOST_DEVICE double bins_x(std::int32_t bin_bits) const {
    return cells_x * (1 << bin_bits);
  }
  TIDEWISE_HOST_DEVICE double bins_y(std::int32_t bin_bits) const {
    return cells_y * (1 << bin_bits);
  }
};

/// v = mean + Σ_m coefficient_m · mode_m by fused multiply-adds in order of m, in float32.
/// `mode` and `coefficient` are strided by cells and realizations respectively.
TIDEWISE_HOST_DEVICE inline float velocity(float mean, const float* mode, std::size_t mode_stride,
                                           const float* coefficient, std::size_t coefficient_stride,
                                           std::int32_t mode_count) {
  float v = mean;
  for (std::int32_t m = 0; m < mode_count; ++m) {
    v = std::fma(coefficient[static_cast<std::size_t>(m) * coefficient_stride],
                 mode[static_cast<std::size_t>(m) * mode_stride], v);
  }
  return v;
}

/// X = round_to_nearest_even(v · scale). Relies on the default rounding mode.
TIDEWISE_HOST_DEVICE inline std::int32_t to_displacement(float v, float scale) {
#if defined(__CUDA_ARCH__)
  return __float2int_rn(v * scale);
#else
  return static_cast<std::int32_t>(std::nearbyint(v * scale));
#endif
}

}  // namespace tidewise

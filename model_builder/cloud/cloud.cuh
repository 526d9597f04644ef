#pragma once

#include <cstdint>

#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

// Velocities of some cells' clouds, four neighbouring realizations at a time.

/// What is the same for all cells of a level: its fields and how the coefficients lie.
struct DeviceCloud {
  LevelView level;
  DisplacementScale scale;
  const float* coefficient = nullptr;  ///< (tile, mode, coefficient_tile)
  View<const std::uint32_t> weight;    ///< (realization); empty: each counts for 1
};
/// Realizations in a tile of coefficients: within one, the rows of two modes lie a fixed distance
/// apart, which loads take as an immediate.
inline constexpr std::int32_t coefficient_tile = 512;

/// Realizations that a kernel may take in one pass: tiles come in multiples of so many.
inline constexpr std::int32_t widest_pass = 4 * coefficient_tile;

namespace lattice {

/// u and v of one mode in each cell of a block.
template <int Cells>
struct alignas(8 * Cells) ModeOfCells {
  float2 of[Cells];
};

/// Adds fma(coefficient, mode, ·) for four realizations of each cell.
template <int Cells>
__device__ inline void add_mode(const float* coefficient, const ModeOfCells<Cells>& mode,
                                float (&u)[Cells][4], float (&v)[Cells][4]) {
  const float4 c = __ldg(reinterpret_cast<const float4*>(coefficient));
  const float four[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
  for (int n = 0; n < Cells; ++n) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      u[n][j] = fmaf(four[j], mode.of[n].x, u[n][j]);
      v[n][j] = fmaf(four[j], mode.of[n].y, v[n][j]);
    }
  }
}

/// mean + the first mode, for four realizations of each cell.
template <int Cells>
__device__ inline void begin_modes(const float* coefficient, const ModeOfCells<Cells>& mode,
                                   const float (&u_mean)[Cells], const float (&v_mean)[Cells],
                                   float (&u)[Cells][4], float (&v)[Cells][4]) {
#pragma unroll
  for (int n = 0; n < Cells; ++n) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      u[n][j] = u_mean[n];
      v[n][j] = v_mean[n];
    }
  }
  add_mode(coefficient, mode, u, v);
}

/// Adds modes m, m+1, … in steps of Count as long as so many are left.
template <int Count, int Cells>
__device__ inline void add_modes(const float*& coefficient, const ModeOfCells<Cells>* modes,
                                 std::int32_t mode_count, std::int32_t& m, float (&u)[Cells][4],
                                 float (&v)[Cells][4]) {
  for (; m + Count <= mode_count; m += Count) {
#pragma unroll
    for (int n = 0; n < Count; ++n) {
      add_mode(coefficient + (n + 1) * coefficient_tile, modes[m + n], u, v);
    }
    coefficient += Count * coefficient_tile;
  }
}

}  // namespace lattice
}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/position.h"
#include "model_builder/step/spread.h"

namespace tidewise {

// The clouds of cells on a device: D of each realization (model_builder/step/spread.h) by exact
// products of bytes. c̃ and m̃ are 128 · high + low, with high and low within int8, so that
//   Σ c̃ · m̃ = 2^14 Σ high·high + 2^7 Σ (high·low + low·high) + Σ low·low.

/// Number of modes whose bytes a tensor core multiplies at once.
inline constexpr std::int32_t modes_per_group = 16;
/// Realizations in a tile of coefficients.
inline constexpr std::int32_t coefficient_tile = 16;

__host__ __device__ constexpr std::int32_t mode_groups(std::int32_t mode_count) {
  return (mode_count + modes_per_group - 1) / modes_per_group;
}

/// The part of a tile that one lane of a warp holds: bytes of four modes (lane % 4 selects the
/// four), of realizations lane / 4 and lane / 4 + 8.
struct alignas(16) CoefficientLanes {
  std::uint32_t high[2];
  std::uint32_t low[2];
};

/// Data of a level that are common to all cells: its fields and the layout of the coefficients.
struct DeviceCloud {
  LevelView level;
  DisplacementScale scale;
  PositionRule rule;
  const CoefficientLanes* coefficient = nullptr;  ///< (tile, group of modes, lane)
  const ModeScale* mode_scale = nullptr;          ///< (mode)
  View<const std::uint32_t> weight;               ///< (realization); empty: all have the weight 1

  __device__ std::int32_t groups() const { return mode_groups(level.mode_count); }
  __device__ std::int32_t tiles() const {
    return (level.realization_count + coefficient_tile - 1) / coefficient_tile;
  }
};

/// Bytes of m̃ of sixteen modes, for one cell and axis.
struct alignas(16) ModeBytes {
  std::uint32_t high[4];
  std::uint32_t low[4];
};

/// Data of one cell's cloud, without the coefficients.
struct CellSpread {
  std::int32_t shift_x;
  std::int32_t shift_y;
  std::int32_t mean_x;  ///< M, in 2^-20 of a cell
  std::int32_t mean_y;
};

namespace cloud {

/// Shared memory [B] that load_modes() fills for `cells` cells.
__host__ __device__ constexpr std::size_t shared_bytes(std::int32_t cells,
                                                       std::int32_t mode_count) {
  return static_cast<std::size_t>(cells) *
         (2 * static_cast<std::size_t>(mode_groups(mode_count)) * sizeof(ModeBytes) +
          sizeof(CellSpread));
}

/// Finds m̃, s and M of some cells: bytes (cell, axis, group of modes) and spread (cell), in shared
/// memory. cell_of(n): the n-th cell. All threads of a block call it; half a warp processes one
/// cell and axis. The caller synchronizes.
template <class CellOf>
__device__ inline void load_modes(const DeviceCloud& cloud, std::int32_t cells,
                                  const CellOf& cell_of, ModeBytes* bytes, CellSpread* spread) {
  const LevelView& level = cloud.level;
  const std::int32_t groups = cloud.groups();
  const auto lane = static_cast<std::int32_t>(threadIdx.x) % modes_per_group;
  const unsigned half_warp = 0xffffu << (threadIdx.x & 16u);
  for (std::int32_t n = static_cast<std::int32_t>(threadIdx.x) / modes_per_group; n < 2 * cells;
       n += static_cast<std::int32_t>(blockDim.x) / modes_per_group) {
    const bool along_x = n % 2 == 0;
    const auto cell = static_cast<std::size_t>(cell_of(n / 2));
    const float* mode = (along_x ? level.u_mode.data : level.v_mode.data) + cell;
    const std::size_t stride = level.u_mean.size;
    const auto factor = [&](std::int32_t m) {
      return along_x ? cloud.mode_scale[m].x : cloud.mode_scale[m].y;
    };
    float max = 0;
    for (std::int32_t m = lane; m < level.mode_count; m += modes_per_group) {
      max = fmaxf(max, mode_reach(__ldg(mode + static_cast<std::size_t>(m) * stride), factor(m)));
    }
#pragma unroll
    for (int apart = modes_per_group / 2; apart > 0; apart /= 2) {
      max = fmaxf(max, __shfl_xor_sync(half_warp, max, apart));
    }
    const std::int32_t shift = spread_shift(max, level.mode_count);
    for (std::int32_t group = 0; group < groups; ++group) {
      const std::int32_t m = group * modes_per_group + lane;
      const std::int32_t value =
          m < level.mode_count
              ? integer_mode(__ldg(mode + static_cast<std::size_t>(m) * stride), factor(m), shift)
              : 0;
      const std::int32_t high = (value + 64) >> 7;
      ModeBytes& to = bytes[n * groups + group];
      reinterpret_cast<std::int8_t*>(to.high)[lane] = static_cast<std::int8_t>(high);
      reinterpret_cast<std::int8_t*>(to.low)[lane] = static_cast<std::int8_t>(value - high * 128);
    }
    if (lane != 0) continue;
    CellSpread& to = spread[n / 2];
    (along_x ? to.shift_x : to.shift_y) = shift;
    (along_x ? to.mean_x : to.mean_y) =
        to_displacement(__ldg((along_x ? level.u_mean.data : level.v_mean.data) + cell),
                        along_x ? cloud.scale.x : cloud.scale.y);
  }
}

/// Σ c̃ · m̃ on tensor cores: c += a · b over bytes of modes; a: (realization, mode), b: (mode,
/// column), c: (realization, column), laid out over a warp as for mma.sync.
__device__ inline void multiply_16(std::int32_t (&c)[4], const std::uint32_t (&a)[2],
                                   std::uint32_t b) {
  asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b));
}
__device__ inline void multiply_32(std::int32_t (&c)[4], const std::uint32_t (&first)[2],
                                   const std::uint32_t (&second)[2], std::uint32_t with_first,
                                   std::uint32_t with_second) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(first[0]), "r"(first[1]), "r"(second[0]), "r"(second[1]), "r"(with_first),
        "r"(with_second));
}

/// Bytes of a lane's column in one group of modes, for one tensor product.
struct ModeLanes {
  std::uint32_t high;
  std::uint32_t low;
};

/// The three sums of products of four cells' x and y with sixteen realizations. A lane holds the
/// sums of cell lane % 4: x and y of realization lane / 4, then x and y of realization lane / 4 +
/// 8.
struct ByteSums {
  std::int32_t high[4] = {};
  std::int32_t middle[4] = {};
  std::int32_t low[4];

  /// `x`, `y`: initial value of every sum of x and of y.
  __device__ ByteSums(std::int32_t x, std::int32_t y) : low{x, y, x, y} {}
  __device__ void add(const CoefficientLanes& coefficient, const ModeLanes& mode) {
    multiply_16(high, coefficient.high, mode.high);
    multiply_32(middle, coefficient.high, coefficient.low, mode.low, mode.high);
    multiply_16(low, coefficient.low, mode.low);
  }
  __device__ std::int32_t sum(int n) const { return (((high[n] << 7) + middle[n]) << 7) + low[n]; }
};

/// Calls visit(realization, D along x, D along y) once for every realization of one cell, from a
/// block of `Threads` threads; uses products of four bytes. bytes: (axis, group of modes).
template <int Threads, class Visit>
__device__ inline void for_each_realization(const DeviceCloud& cloud, const ModeBytes* bytes,
                                            const CellSpread& spread, const Visit& visit) {
  constexpr std::int32_t lanes = 32;
  constexpr std::int32_t rows = 8;
  const std::int32_t groups = cloud.groups();
  const std::int32_t last_four = (cloud.level.mode_count + 3) / 4;
  for (auto n = static_cast<std::int32_t>(threadIdx.x); n < cloud.tiles() * rows; n += Threads) {
    const std::int32_t tile = n / rows;
    std::int32_t high[4] = {};
    std::int32_t middle[4] = {};
    std::int32_t low[4] = {};
    for (std::int32_t four = 0; four < last_four; ++four) {
      const std::int32_t group = four / 4;
      const uint4 words = __ldg(reinterpret_cast<const uint4*>(
          cloud.coefficient + (tile * groups + group) * lanes + n % rows * 4 + four % 4));
      const std::uint32_t c_high[2] = {words.x, words.y};
      const std::uint32_t c_low[2] = {words.z, words.w};
#pragma unroll
      for (int sum = 0; sum < 4; ++sum) {  // realization, axis
        const ModeBytes& modes = bytes[sum % 2 * groups + group];
        const auto m_high = static_cast<std::int32_t>(modes.high[four % 4]);
        const auto m_low = static_cast<std::int32_t>(modes.low[four % 4]);
        const auto of_high = static_cast<std::int32_t>(c_high[sum / 2]);
        const auto of_low = static_cast<std::int32_t>(c_low[sum / 2]);
        high[sum] = __dp4a(of_high, m_high, high[sum]);
        middle[sum] = __dp4a(of_high, m_low, __dp4a(of_low, m_high, middle[sum]));
        low[sum] = __dp4a(of_low, m_low, low[sum]);
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::int32_t realization = tile * coefficient_tile + n % rows + half * rows;
      if (realization >= cloud.level.realization_count) break;
      const auto bins = [&](int axis, std::int32_t shift) {
        const int sum = 2 * half + axis;
        return bins_of_sum((((high[sum] << 7) + middle[sum]) << 7) + low[sum], shift);
      };
      visit(realization, bins(0, spread.shift_x), bins(1, spread.shift_y));
    }
  }
}

}  // namespace cloud
}  // namespace tidewise

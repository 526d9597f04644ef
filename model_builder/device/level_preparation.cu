#include <algorithm>
#include <cmath>

#include "base/memory/cuda_check.h"
#include "base/memory/join_block.cuh"
#include "base/memory/native_stream.h"
#include "base/memory/warp.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/step/cell_reach.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

__device__ Interval union_of(const Interval& one, const Interval& other) {
  return {fmin(one.least, other.least), fmax(one.greatest, other.greatest)};
}

/// What a block finds out of its mode.
struct CoefficientFacts {
  Interval range;
  float greatest;
};

/// A block has one mode; the last ones have none, and fill up their group.
__global__ void make_lanes(View<const float> coefficient, std::int32_t mode_count,
                           std::int32_t realizations, double bins_x, double bins_y,
                           CoefficientLanes* lanes, ModeScale* scales, Interval* range) {
  const auto mode = static_cast<std::int32_t>(blockIdx.x);
  const bool there = mode < mode_count;
  const float* row =
      coefficient.data + static_cast<std::size_t>(mode) * static_cast<std::size_t>(realizations);
  __shared__ float shared_scale;
  CoefficientFacts seen{{INFINITY, -INFINITY}, 0};
  std::int32_t finite = 1;
  for (auto r = static_cast<std::int32_t>(threadIdx.x); there && r < realizations; r += threads) {
    const float value = row[r];
    if (!isfinite(value)) finite = 0;
    seen.range = union_of(seen.range, {value, value});
    seen.greatest = fmaxf(seen.greatest, fabsf(value));
  }
  const bool all_finite = __syncthreads_and(finite) != 0;
  seen = join_block(seen, [](const CoefficientFacts& one, const CoefficientFacts& other) {
    return CoefficientFacts{union_of(one.range, other.range), fmaxf(one.greatest, other.greatest)};
  });
  if (threadIdx.x == 0) {
    const ModeScale scale =
        there && all_finite ? mode_scale(seen.greatest, bins_x, bins_y) : ModeScale{};
    shared_scale = scale.coefficient;
    if (there) {
      scales[mode] = scale;
      range[mode] = all_finite ? seen.range : Interval{NAN, NAN};
    }
  }
  __syncthreads();
  const float scale = shared_scale;
  constexpr std::int32_t rows = coefficient_tile / 2;
  const auto groups = static_cast<std::int32_t>(gridDim.x) / modes_a_group;
  const std::int32_t in_group = mode % modes_a_group;
  const std::int32_t padded =
      (realizations + coefficient_tile - 1) / coefficient_tile * coefficient_tile;
  for (auto r = static_cast<std::int32_t>(threadIdx.x); r < padded; r += threads) {
    const std::int32_t value =
        scale == 0 ? 0 : integer_coefficient(row[min(r, realizations - 1)], scale);
    const std::int32_t high = (value + 64) >> 7;
    const std::int32_t tile = r / coefficient_tile;
    const std::int32_t in_tile = r % coefficient_tile;
    CoefficientLanes& to =
        lanes[static_cast<std::size_t>(tile * groups + mode / modes_a_group) * 32 +
              static_cast<std::size_t>(in_tile % rows * 4 + in_group / 4)];
    reinterpret_cast<std::int8_t*>(&to.high[in_tile / rows])[in_group % 4] =
        static_cast<std::int8_t>(high);
    reinterpret_cast<std::int8_t*>(&to.low[in_tile / rows])[in_group % 4] =
        static_cast<std::int8_t>(value - high * 128);
  }
}

__global__ void bound(LevelView level, DisplacementScale scale, PositionRule rule,
                      const Interval* range, const std::int32_t* cells,
                      const std::int32_t* cell_count, std::int32_t action_reach,
                      DeviceLevelFacts* facts) {
  std::int32_t x_min = -1;
  std::int32_t x_max = 1;
  std::int32_t y_min = -1;
  std::int32_t y_max = 1;
  bool finite = true;
  bool near = true;
  const std::int32_t count = *cell_count;
  for (std::int32_t n = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x); n < count;
       n += static_cast<std::int32_t>(gridDim.x * blockDim.x)) {
    const CellReach reach =
        cell_reach(level, scale, rule, range, static_cast<std::size_t>(cells[n]));
    if (isinf(reach.farthest)) {
      finite = false;
      continue;
    }
    near = near && within_reach(reach.farthest, action_reach);
    x_min = min(x_min, reach.range.x_min);
    x_max = max(x_max, reach.range.x_max);
    y_min = min(y_min, reach.range.y_min);
    y_max = max(y_max, reach.range.y_max);
  }
  const DeviceWarp warp;
  x_min = warp.least(x_min);
  x_max = warp.greatest(x_max);
  y_min = warp.least(y_min);
  y_max = warp.greatest(y_max);
  if (!finite) facts->not_finite = 1;
  if (!near) facts->too_far = 1;
  if (threadIdx.x % 32 != 0) return;
  atomicMin(&facts->x_min, x_min);
  atomicMax(&facts->x_max, x_max);
  atomicMin(&facts->y_min, y_min);
  atomicMax(&facts->y_max, y_max);
}

/// Whether every bin within the range fits what the lattice kernel keeps of it: 16 bits, with two
/// below x, and room for where a histogram has its zero.
__global__ void validate_fit(PositionRule rule, DeviceLevelFacts* facts) {
  constexpr std::int32_t most_bins = 7900;
  const std::int32_t shift = fraction_bits - rule.bin_bits;
  const auto fits = [&](std::int32_t least, std::int32_t greatest) {
    // The mean is part of the range, and D is not: it may be as wide as the range itself.
    return (greatest >> shift) - (least >> shift) < most_bins;
  };
  facts->fits = fits(facts->x_min, facts->x_max) && fits(facts->y_min, facts->y_max) &&
                facts->not_finite == 0 && facts->too_far == 0;
}

__global__ void sort(const std::int32_t* cells, const std::int32_t* cell_count,
                     DeviceCellLists lists) {
  const auto n = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool there = n < *cell_count;
  const std::int32_t cell = there ? cells[n] : 0;
  const std::int32_t its_class = there ? used_class(lists, lists.class_of[cell]) : -1;
  for (std::int32_t c = 0; c <= frame_classes; ++c) {
    const std::int32_t place = DeviceWarp().append(its_class == c, lists.count + c);
    if (its_class == c) lists.cell[c][place] = cell;
  }
}

}  // namespace

DeviceCoefficients::DeviceCoefficients(std::int32_t mode_count, std::int32_t realization_count)
    : lanes_(static_cast<std::size_t>((realization_count + coefficient_tile - 1) /
                                      coefficient_tile * mode_groups(mode_count)) *
             32),
      mode_scale_(static_cast<std::size_t>(mode_count)),
      range_(static_cast<std::size_t>(mode_count)) {}

void DeviceCoefficients::make(const LevelView& level, const DisplacementScale& scale,
                              const PositionRule& rule, const DeviceStream& stream) {
  level_ = level;
  scale_ = scale;
  rule_ = rule;
  make_lanes<<<static_cast<unsigned>(mode_groups(level.mode_count) * modes_a_group), threads, 0,
               native(stream)>>>(level.coefficient, level.mode_count, level.realization_count,
                                 scale.bins_x(rule.bin_bits), scale.bins_y(rule.bin_bits),
                                 lanes_.data(), mode_scale_.data(), range_.data());
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

DeviceCloud DeviceCoefficients::cloud(View<const std::uint32_t> weight) const {
  return {level_, scale_, rule_, lanes_.data(), mode_scale_.data(), weight};
}

void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t most,
                   const DeviceCellLists& lists, const DeviceStream& stream) {
  const unsigned blocks = (static_cast<unsigned>(most) + threads - 1) / threads;
  sort<<<blocks, threads, 0, native(stream)>>>(cells, cell_count, lists);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void bound_level(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
                 const Interval* range, const std::int32_t* cells, const std::int32_t* cell_count,
                 std::int32_t action_reach, DeviceLevelFacts* facts, const DeviceStream& stream) {
  const auto most = static_cast<unsigned>(level.grid.cell_count());
  const unsigned blocks = std::min((most + threads - 1) / threads, 1024u);
  bound<<<blocks, threads, 0, native(stream)>>>(level, scale, rule, range, cells, cell_count,
                                                action_reach, facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
  validate_fit<<<1, 1, 0, native(stream)>>>(rule, facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise

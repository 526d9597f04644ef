#include <cmath>

#include "base/kernel/join_block.cuh"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "model_builder/cloud/coefficients.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

__device__ Interval union_of(const Interval& one, const Interval& other) {
  return {fmin(one.min, other.min), fmax(one.max, other.max)};
}

/// Results of a block for its mode.
struct CoefficientFacts {
  Interval range;
  float max;
};

/// A block has one mode; surplus blocks write zeros to complete their group.
__global__ void make_lanes(View<const float> coefficient, std::int32_t mode_count,
                           std::int32_t realizations, double bins_x, double bins_y,
                           CoefficientLanes* lanes, ModeScale* scales, Interval* range) {
  const auto mode = static_cast<std::int32_t>(blockIdx.x);
  const bool has_mode = mode < mode_count;
  const float* row =
      coefficient.data + static_cast<std::size_t>(mode) * static_cast<std::size_t>(realizations);
  __shared__ float shared_scale;
  CoefficientFacts seen{{INFINITY, -INFINITY}, 0};
  std::int32_t finite = 1;
  for (auto r = static_cast<std::int32_t>(threadIdx.x); has_mode && r < realizations;
       r += threads) {
    const float value = row[r];
    if (!isfinite(value)) finite = 0;
    seen.range = union_of(seen.range, {value, value});
    seen.max = fmaxf(seen.max, fabsf(value));
  }
  const bool all_finite = __syncthreads_and(finite) != 0;
  seen = join_block(seen, [](const CoefficientFacts& one, const CoefficientFacts& other) {
    return CoefficientFacts{union_of(one.range, other.range), fmaxf(one.max, other.max)};
  });
  if (threadIdx.x == 0) {
    const ModeScale scale =
        has_mode && all_finite ? mode_scale(seen.max, bins_x, bins_y) : ModeScale{};
    shared_scale = scale.coefficient;
    if (has_mode) {
      scales[mode] = scale;
      range[mode] = all_finite ? seen.range : Interval{NAN, NAN};
    }
  }
  __syncthreads();
  const float scale = shared_scale;
  constexpr std::int32_t rows = coefficient_tile / 2;
  const auto groups = static_cast<std::int32_t>(gridDim.x) / modes_per_group;
  const std::int32_t in_group = mode % modes_per_group;
  const std::int32_t padded =
      (realizations + coefficient_tile - 1) / coefficient_tile * coefficient_tile;
  for (auto r = static_cast<std::int32_t>(threadIdx.x); r < padded; r += threads) {
    const std::int32_t value =
        scale == 0 ? 0 : integer_coefficient(row[min(r, realizations - 1)], scale);
    const std::int32_t high = (value + 64) >> 7;
    const std::int32_t tile = r / coefficient_tile;
    const std::int32_t in_tile = r % coefficient_tile;
    CoefficientLanes& to =
        lanes[static_cast<std::size_t>(tile * groups + mode / modes_per_group) * 32 +
              static_cast<std::size_t>(in_tile % rows * 4 + in_group / 4)];
    reinterpret_cast<std::int8_t*>(&to.high[in_tile / rows])[in_group % 4] =
        static_cast<std::int8_t>(high);
    reinterpret_cast<std::int8_t*>(&to.low[in_tile / rows])[in_group % 4] =
        static_cast<std::int8_t>(value - high * 128);
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
  make_lanes<<<static_cast<unsigned>(mode_groups(level.mode_count) * modes_per_group), threads, 0,
               native(stream)>>>(level.coefficient, level.mode_count, level.realization_count,
                                 scale.bins_x(rule.bin_bits), scale.bins_y(rule.bin_bits),
                                 lanes_.data(), mode_scale_.data(), range_.data());
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

DeviceCloud DeviceCoefficients::cloud(View<const std::uint32_t> weight) const {
  return {level_, scale_, rule_, lanes_.data(), mode_scale_.data(), weight};
}

}  // namespace tidewise

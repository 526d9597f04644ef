#include <algorithm>
#include <cmath>

#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/step/cell_reach.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

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

/// Checks that every bin within the range fits the bits of the lattice kernel: 16 bits, two bits
/// below x, and room for the position of a histogram's zero.
__global__ void validate_fit(PositionRule rule, DeviceLevelFacts* facts) {
  constexpr std::int32_t max_bins = 7900;
  const std::int32_t shift = fraction_bits - rule.bin_bits;
  const auto fits = [&](std::int32_t smallest, std::int32_t largest) {
    // The mean is part of the range, but not of D, which may be as wide as the range.
    return (largest >> shift) - (smallest >> shift) < max_bins;
  };
  facts->fits = fits(facts->x_min, facts->x_max) && fits(facts->y_min, facts->y_max) &&
                facts->not_finite == 0 && facts->too_far == 0;
}

__global__ void sort(const std::int32_t* cells, const std::int32_t* cell_count,
                     DeviceCellLists lists) {
  const auto n = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool has_cell = n < *cell_count;
  const std::int32_t cell = has_cell ? cells[n] : 0;
  const std::int32_t its_class = has_cell ? used_class(lists, lists.class_of[cell]) : -1;
  for (std::int32_t c = 0; c <= frame_classes; ++c) {
    const std::int32_t place = DeviceWarp().append(its_class == c, lists.count + c);
    if (its_class == c) lists.cell[c][place] = cell;
  }
}

}  // namespace

void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t max,
                   const DeviceCellLists& lists, const DeviceStream& stream) {
  const unsigned blocks = (static_cast<unsigned>(max) + threads - 1) / threads;
  sort<<<blocks, threads, 0, native(stream)>>>(cells, cell_count, lists);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void bound_level(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
                 const Interval* range, const std::int32_t* cells, const std::int32_t* cell_count,
                 std::int32_t action_reach, DeviceLevelFacts* facts, const DeviceStream& stream) {
  const auto max = static_cast<unsigned>(level.grid.cell_count());
  const unsigned blocks = std::min((max + threads - 1) / threads, 1024u);
  bound<<<blocks, threads, 0, native(stream)>>>(level, scale, rule, range, cells, cell_count,
                                                action_reach, facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
  validate_fit<<<1, 1, 0, native(stream)>>>(rule, facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise

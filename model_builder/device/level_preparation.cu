#include <algorithm>
#include <cmath>

#include "base/memory/cuda_check.h"
#include "base/memory/join_block.cuh"
#include "base/memory/native_stream.h"
#include "base/memory/warp.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/lattice/device.cuh"
#include "model_builder/step/cell_reach.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

__device__ Interval union_of(const Interval& one, const Interval& other) {
  return {fmin(one.least, other.least), fmax(one.greatest, other.greatest)};
}

/// A block has one mode.
__global__ void tile(View<const float> coefficient, std::int32_t realizations, float* tiles,
                     std::int32_t tile_count, Interval* range) {
  const auto mode = static_cast<std::size_t>(blockIdx.x);
  const float* row = coefficient.data + mode * static_cast<std::size_t>(realizations);
  const std::int32_t padded = tile_count * coefficient_tile;
  Interval seen{INFINITY, -INFINITY};
  std::int32_t finite = 1;
  for (auto r = static_cast<std::int32_t>(threadIdx.x); r < padded; r += threads) {
    const float value = row[min(r, realizations - 1)];
    tiles[(static_cast<std::size_t>(r / coefficient_tile) * gridDim.x + mode) * coefficient_tile +
          r % coefficient_tile] = value;
    if (r >= realizations) continue;
    if (!isfinite(value)) finite = 0;
    seen = union_of(seen, {value, value});
  }
  if (__syncthreads_and(finite) == 0) {
    if (threadIdx.x == 0) range[mode] = {NAN, NAN};
    return;
  }
  seen = join_block(
      seen, [](const Interval& one, const Interval& other) { return union_of(one, other); });
  if (threadIdx.x == 0) range[mode] = seen;
}

__global__ void bound(LevelView level, DisplacementScale scale, const Interval* range,
                      const std::int32_t* cells, const std::int32_t* cell_count, BoundLimits limits,
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
    const CellReach reach = cell_reach(level, scale, range, static_cast<std::size_t>(cells[n]));
    if (isinf(reach.farthest)) {
      finite = false;
      continue;
    }
    near = near && within_reach(reach.farthest, limits.action_reach);
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

/// Whether every fine bin within the range fits the 12 bits that the lattice kernel keeps of it.
__global__ void validate_fit(BoundLimits limits, DeviceLevelFacts* facts) {
  constexpr std::int32_t most_bins = 2047;
  const auto fits = [](std::int32_t displacement, std::int32_t bins) {
    const std::int32_t cells = displacement >> fraction_bits;
    return bins > 0 && (cells < 0 ? -cells : cells) + 1 < most_bins / bins;
  };
  facts->fits = fits(facts->x_min, limits.x_bins) && fits(facts->x_max, limits.x_bins) &&
                fits(facts->y_min, limits.y_bins) && fits(facts->y_max, limits.y_bins) &&
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

std::size_t tiled_coefficient_size(std::int32_t mode_count, std::int32_t realization_count) {
  const std::int32_t passes = (realization_count + widest_pass - 1) / widest_pass;
  return static_cast<std::size_t>(passes) * widest_pass * static_cast<std::size_t>(mode_count);
}

void tile_coefficients(const LevelView& level, float* tiles, Interval* range,
                       const DeviceStream& stream) {
  const auto tile_count =
      static_cast<std::int32_t>(tiled_coefficient_size(level.mode_count, level.realization_count) /
                                coefficient_tile / static_cast<std::size_t>(level.mode_count));
  tile<<<static_cast<unsigned>(level.mode_count), threads, 0, native(stream)>>>(
      level.coefficient, level.realization_count, tiles, tile_count, range);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void sort_by_class(const std::int32_t* cells, const std::int32_t* cell_count, std::int32_t most,
                   const DeviceCellLists& lists, const DeviceStream& stream) {
  const unsigned blocks = (static_cast<unsigned>(most) + threads - 1) / threads;
  sort<<<blocks, threads, 0, native(stream)>>>(cells, cell_count, lists);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void bound_level(const LevelView& level, const DisplacementScale& scale, const Interval* range,
                 const std::int32_t* cells, const std::int32_t* cell_count,
                 const BoundLimits& limits, DeviceLevelFacts* facts, const DeviceStream& stream) {
  const auto most = static_cast<unsigned>(level.grid.cell_count());
  const unsigned blocks = std::min((most + threads - 1) / threads, 1024u);
  bound<<<blocks, threads, 0, native(stream)>>>(level, scale, range, cells, cell_count, limits,
                                                facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
  validate_fit<<<1, 1, 0, native(stream)>>>(limits, facts);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise

#include <cmath>

#include "base/kernel/join_block.cuh"
#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "solver/evaluate/device_reach.h"
#include "solver/step/boundary.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

// Range of one mode's coefficients within a thread, a warp or a block.
struct CoefficientRange {
  float min;
  float max;
  bool finite;

  __device__ void include(const CoefficientRange& other) {
    min = other.min < min ? other.min : min;
    max = max < other.max ? other.max : max;
    finite = finite && other.finite;
  }
};

// One block per mode.
__global__ void coefficient_range(View<const float> coefficient, std::int32_t realizations,
                                  Interval* range) {
  const float* row = coefficient.data +
                     static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(realizations);
  CoefficientRange seen{INFINITY, -INFINITY, true};
  for (auto r = static_cast<std::int32_t>(threadIdx.x); r < realizations; r += threads) {
    seen.include({row[r], row[r], row[r] - row[r] == 0});
  }
  seen = join_block(seen);
  if (threadIdx.x != 0) return;
  range[blockIdx.x] = seen.finite ? Interval{seen.min, seen.max} : Interval{NAN, NAN};
}

// One thread per cell.
__global__ void reach(const __grid_constant__ LevelView level, View<const std::uint8_t> target,
                      DisplacementScale scale, PositionRule rule, const Interval* range,
                      std::int32_t action_reach, CellReach* cells, LevelReach* whole) {
  const std::size_t cell = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  DisplacementRange own;
  if (cell < target.size) {
    const CellReach found = cell_reach(level, scale, rule, range, cell);
    cells[cell] = found;
    const bool sailed = is_non_terminal(level.masked[cell] != 0, target[cell] != 0);
    if (sailed && within_reach(found.farthest, action_reach)) own = found.range;
  }
  const DeviceWarp warp;
  const std::int32_t x_min = warp.least(own.x_min);
  const std::int32_t x_max = warp.greatest(own.x_max);
  const std::int32_t y_min = warp.least(own.y_min);
  const std::int32_t y_max = warp.greatest(own.y_max);
  const std::int32_t x_span = warp.greatest(own.x_max - own.x_min);
  const std::int32_t y_span = warp.greatest(own.y_max - own.y_min);
  if (threadIdx.x % 32 != 0) return;
  atomicMin(&whole->x_min, x_min);
  atomicMax(&whole->x_max, x_max);
  atomicMin(&whole->y_min, y_min);
  atomicMax(&whole->y_max, y_max);
  atomicMax(&whole->x_span, x_span);
  atomicMax(&whole->y_span, y_span);
}

}  // namespace

void find_coefficient_ranges(const LevelView& level, Interval* range, const DeviceStream& stream) {
  coefficient_range<<<static_cast<unsigned>(level.mode_count), threads, 0, native(stream)>>>(
      level.coefficient, level.realization_count, range);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void find_reach(const LevelView& level, View<const std::uint8_t> target,
                const DisplacementScale& scale, const PositionRule& rule, const Interval* range,
                std::int32_t action_reach, CellReach* cells, LevelReach* whole,
                const DeviceStream& stream) {
  const auto blocks = static_cast<unsigned>((target.size + threads - 1) / threads);
  reach<<<blocks, threads, 0, native(stream)>>>(level, target, scale, rule, range, action_reach,
                                                cells, whole);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise

#include <algorithm>

#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "solver/evaluate/device_transitions.h"

// One block per cell, with some of its realizations for each thread. Landings are counted in shared
// memory, with several copies of each counter to reduce conflicts between lanes, or in global
// memory if windows are too wide.

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;
constexpr std::int32_t lanes = 32;

enum class Memory { shared, global };

// Counts the landings of one cell in all realizations. Returns true if one was outside its window.
template <Memory Counters>
__device__ bool count_all(const LandingWork& work, const LandingTask& task, const ModeBytes* modes,
                          const CellSpread& spread, std::uint32_t* counters, std::int32_t copies) {
  const PositionRule rule = work.cloud.rule;
  const std::int32_t x =
      certain_position(spread.mean_x, task.action_x) - task.origin_x * positions_per_cell;
  const std::int32_t y =
      certain_position(spread.mean_y, task.action_y) - task.origin_y * positions_per_cell;
  const std::int32_t copy = static_cast<std::int32_t>(threadIdx.x) & (copies - 1);
  const View<const std::uint32_t>& weights = work.cloud.weight;
  bool missed = false;
  cloud::for_each_realization<threads>(
      work.cloud, modes, spread,
      [&](std::int32_t realization, std::int32_t bins_x, std::int32_t bins_y) {
        const std::uint32_t weight =
            weights.empty() ? 1u : weights[static_cast<std::size_t>(realization)];
        if (weight == 0) return;
        for_each_share(
            rule, position_of(bins_x, x, rule), position_of(bins_y, y, rule),
            [&](std::int32_t column, std::int32_t row, std::uint32_t share) {
              if (column < 0 || column >= task.width || row < 0 || row >= task.height) {
                missed = true;
                return;
              }
              const std::int32_t place = row * task.width + column;
              atomicAdd(counters + (Counters == Memory::shared ? place * copies + copy : place),
                        weight * share);
            });
      });
  return missed;
}

// A warp adds up one cell's counters in global memory and shrinks the window to the landings.
template <Memory Counters>
__device__ void write_window(const LandingWork& work, const LandingTask& task, std::uint32_t* count,
                             const std::uint32_t* counter, std::int32_t copies) {
  std::int32_t west = task.width;
  std::int32_t south = task.height;
  std::int32_t minus_east = 1;
  std::int32_t minus_north = 1;
  const auto lane = static_cast<std::int32_t>(threadIdx.x) % lanes;
  for (std::int32_t place = lane; place < task.width * task.height; place += lanes) {
    std::uint32_t sum = 0;
    if constexpr (Counters == Memory::shared) {
      for (std::int32_t copy = 0; copy < copies; ++copy) sum += counter[place * copies + copy];
      count[place] = sum;
    } else {
      sum = __ldcg(count + place);  // bypasses the L1 cache, which atomics do not update
    }
    if (sum == 0) continue;
    const std::int32_t row = place / task.width;
    const std::int32_t column = place - row * task.width;
    west = min(west, column);
    minus_east = min(minus_east, -column);
    south = min(south, row);
    minus_north = min(minus_north, -row);
  }
  const DeviceWarp warp;
  west = warp.least(west);
  south = warp.least(south);
  minus_east = warp.least(minus_east);
  minus_north = warp.least(minus_north);
  if (lane != 0) return;
  LandingStencil window;
  if (task.width > 0) {
    window = {{task.origin_x + west, task.origin_y + south},
              -minus_east - west + 1,
              -minus_north - south + 1,
              task.width,
              count + south * task.width + west};
  }
  work.members[task.member].window[task.cell] = window;
}

template <Memory Counters>
__global__ void __launch_bounds__(threads)
    count(const __grid_constant__ LandingWork work, std::int32_t copies) {
  extern __shared__ uint4 shared[];
  __shared__ LandingTask task;
  auto* modes = reinterpret_cast<ModeBytes*>(shared);
  auto* spread = reinterpret_cast<CellSpread*>(modes + 2 * work.cloud.groups());
  auto* shared_counters = reinterpret_cast<std::uint32_t*>(spread + 1);
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const std::uint32_t cells = *work.left_count;
  for (std::uint32_t n = blockIdx.x; n < cells; n += gridDim.x) {
    const std::size_t number = work.left[n];
    std::uint32_t* count =
        work.counts + (number - work.first) * static_cast<std::size_t>(work.window_words);
    std::uint32_t* counters = Counters == Memory::shared ? shared_counters : count;
    if (thread == 0) task = landing_task(work, number);
    __syncthreads();
    DeviceCloud cloud = work.cloud;
    cloud.level = cloud.level.profile(task.profile);
    for (std::int32_t w = thread; w < work.window_words * copies; w += threads) counters[w] = 0;
    const auto cell = static_cast<std::int32_t>(task.cell);
    cloud::load_modes(
        cloud, 1, [&](std::int32_t) { return cell; }, modes, spread);
    __syncthreads();
    if (task.width > 0 && count_all<Counters>(work, task, modes, *spread, counters, copies)) {
      work.facts[task.member].missed = 1;
    }
    __syncthreads();
    if (thread < lanes) write_window<Counters>(work, task, count, counters, copies);
    __syncthreads();
  }
}

// Number of copies of each counter in a block, and their memory.
struct Shape {
  std::int32_t copies = 1;
  Memory counters = Memory::shared;

  std::size_t shared_bytes(const LandingWork& work) const {
    std::size_t bytes = cloud::shared_bytes(1, work.cloud.level.mode_count);
    if (counters == Memory::shared) {
      bytes += static_cast<std::size_t>(work.window_words) * static_cast<std::size_t>(copies) *
               sizeof(std::uint32_t);
    }
    return bytes;
  }
};

// Chooses as many copies as allow a few blocks on a multiprocessor.
Shape shape_of(const LandingWork& work) {
  constexpr std::size_t max_bytes = 40u << 10;    // [B] every device has 48 KiB per block
  constexpr std::size_t comfortable = 12u << 10;  // [B]
  constexpr std::int32_t max_copies = 8;
  Shape shape;
  if (shape.shared_bytes(work) > max_bytes) shape.counters = Memory::global;
  if (shape.counters == Memory::global) return shape;
  while (shape.copies < max_copies) {
    Shape more = shape;
    more.copies *= 2;
    if (more.shared_bytes(work) > comfortable) break;
    shape = more;
  }
  return shape;
}

template <Memory Counters>
void launch(const LandingWork& work, const Shape& shape, unsigned blocks,
            const DeviceStream& stream) {
  count<Counters>
      <<<blocks, threads, shape.shared_bytes(work), native(stream)>>>(work, shape.copies);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void count_transitions(const LandingWork& work, std::int32_t multiprocessors,
                       const DeviceStream& stream) {
  const Shape shape = shape_of(work);
  const auto blocks = static_cast<unsigned>(
      std::min(work.end - work.first, static_cast<std::size_t>(multiprocessors) * 8));
  if (shape.counters == Memory::global) {
    launch<Memory::global>(work, shape, blocks, stream);
  } else {
    launch<Memory::shared>(work, shape, blocks, stream);
  }
}

}  // namespace tidewise

#include <algorithm>

#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "base/memory/warp.h"
#include "solver/evaluate/device_transitions.h"

// A block takes a few cells at a time, so that each coefficient it loads serves them all; a thread
// takes a few realizations at a time, so that each mode it reads from shared memory serves those.
// Landings are counted in shared memory, each counter several times over so that lanes which land
// alike wait less for each other; or in global memory where windows are too wide for that.

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;
constexpr std::int32_t lanes = 32;
constexpr std::int32_t samples = 4;  // realizations that a thread has in hand

enum class Memory { shared, global };

/// What a block must know of one of its cells.
struct CellTask {
  std::int32_t cell;
  std::int32_t origin_x;  // of the window
  std::int32_t origin_y;
  std::int32_t width;  // 0: nothing to count
  std::int32_t height;
  std::int32_t action_x;  // displacement
  std::int32_t action_y;
  float u_mean;
  float v_mean;
};

/// The window that holds every landing of one cell's policy action.
__device__ CellTask make_task(const LandingWork& work, std::int32_t listed, std::int32_t count) {
  CellTask task{};
  if (listed >= count) return task;
  task.cell = work.cells[listed];
  const auto cell = static_cast<std::size_t>(task.cell);
  task.u_mean = work.level.u_mean[cell];
  task.v_mean = work.level.v_mean[cell];
  const CellReach reach = work.reach[cell];
  if (!within_reach(reach.farthest, work.action_reach)) {
    atomicMax(&work.facts->too_far,
              static_cast<unsigned long long>(__double_as_longlong(reach.farthest)));
    return task;
  }
  const std::int16_t action = work.policy[cell];
  if (action == no_action) return task;
  const Displacement step = work.effect[static_cast<std::size_t>(action)].displacement;
  task.action_x = step.x;
  task.action_y = step.y;
  task.origin_x = landing_offset(reach.range.x_min, step.x);
  task.origin_y = landing_offset(reach.range.y_min, step.y);
  task.width = landing_offset(reach.range.x_max, step.x) - task.origin_x + 1;
  task.height = landing_offset(reach.range.y_max, step.y) - task.origin_y + 1;
  if (task.width * task.height > work.window_words) {
    task.width = 0;
    work.facts->missed = 1;
  }
  return task;
}

/// Adds the landings of `samples` realizations of one cell to its counters.
template <Memory Counters>
__device__ bool land(const LandingWork& work, const CellTask& task, const float (&u)[samples],
                     const float (&v)[samples], const std::uint32_t (&weight)[samples],
                     std::uint32_t* counter, std::int32_t copies) {
  bool missed = false;
#pragma unroll
  for (std::int32_t s = 0; s < samples; ++s) {
    if (weight[s] == 0) continue;
    const std::int32_t column =
        landing_offset(to_displacement(u[s], work.scale.x), task.action_x) - task.origin_x;
    const std::int32_t row =
        landing_offset(to_displacement(v[s], work.scale.y), task.action_y) - task.origin_y;
    if (column < 0 || column >= task.width || row < 0 || row >= task.height) {
      missed = true;
      continue;
    }
    const std::int32_t place = row * task.width + column;
    if constexpr (Counters == Memory::shared) {
      const auto lane = static_cast<std::int32_t>(threadIdx.x);
      atomicAdd(counter + place * copies + (lane & (copies - 1)), weight[s]);
    } else {
      atomicAdd(counter + place, weight[s]);
    }
  }
  return missed;
}

/// Goes through all realizations of the block's cells. Returns whether a landing was missed.
/// modes: u and v, (mode, cell).
template <std::int32_t Cells, Memory Counters>
__device__ bool count_all(const LandingWork& work, const CellTask* task, const float2* modes,
                          std::uint32_t* counters, std::int32_t copies) {
  const LevelView& level = work.level;
  const std::int32_t realizations = level.realization_count;
  bool missed = false;
  for (std::int32_t first = 0; first < realizations; first += threads * samples) {
    const float* coefficient[samples];
    std::uint32_t weight[samples];
#pragma unroll
    for (std::int32_t s = 0; s < samples; ++s) {
      const std::int32_t r = first + s * threads + static_cast<std::int32_t>(threadIdx.x);
      const std::int32_t read = min(r, realizations - 1);
      coefficient[s] = level.coefficient.data + read;
      weight[s] = work.weight.empty() ? 1u : work.weight[static_cast<std::size_t>(read)];
      if (r >= realizations) weight[s] = 0;
    }
    float u[Cells][samples];
    float v[Cells][samples];
#pragma unroll
    for (std::int32_t c = 0; c < Cells; ++c) {
#pragma unroll
      for (std::int32_t s = 0; s < samples; ++s) {
        u[c][s] = task[c].u_mean;
        v[c][s] = task[c].v_mean;
      }
    }
    // velocity() of displacement.h, for several cells and realizations side by side.
    for (std::int32_t mode = 0; mode < level.mode_count; ++mode) {
      float factor[samples];
#pragma unroll
      for (std::int32_t s = 0; s < samples; ++s) {
        factor[s] = *coefficient[s];
        coefficient[s] += realizations;
      }
#pragma unroll
      for (std::int32_t c = 0; c < Cells; ++c) {
        const float2 shape = modes[mode * Cells + c];
#pragma unroll
        for (std::int32_t s = 0; s < samples; ++s) {
          u[c][s] = std::fma(factor[s], shape.x, u[c][s]);
          v[c][s] = std::fma(factor[s], shape.y, v[c][s]);
        }
      }
    }
#pragma unroll
    for (std::int32_t c = 0; c < Cells; ++c) {
      if (task[c].width == 0) continue;
      std::uint32_t* counter =
          Counters == Memory::shared
              ? counters + c * work.window_words * copies
              : work.counts + static_cast<std::size_t>(task[c].cell - work.first_cell) *
                                  static_cast<std::size_t>(work.window_words);
      missed = land<Counters>(work, task[c], u[c], v[c], weight, counter, copies) || missed;
    }
  }
  return missed;
}

/// A warp brings one cell's counters together in global memory and fits the window to them.
template <Memory Counters>
__device__ void write_window(const LandingWork& work, const CellTask& task,
                             const std::uint32_t* counter, std::int32_t copies) {
  std::uint32_t* count = work.counts + static_cast<std::size_t>(task.cell - work.first_cell) *
                                           static_cast<std::size_t>(work.window_words);
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
      sum = __ldcg(count + place);  // past the L1 cache, of which atomics know nothing
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
  work.window[task.cell] = window;
}

template <std::int32_t Cells, Memory Counters>
__global__ void __launch_bounds__(threads)
    count(const __grid_constant__ LandingWork work, std::int32_t copies) {
  extern __shared__ float2 shared[];
  __shared__ CellTask task[Cells];
  float2* modes = shared;
  const std::int32_t mode_entries = work.level.mode_count * Cells;
  auto* counters = reinterpret_cast<std::uint32_t*>(modes + mode_entries);
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const std::int32_t cells = *work.cell_count;
  if (blockIdx.x == 0 && thread == 0) work.facts->cells += cells;
  for (std::int32_t first = static_cast<std::int32_t>(blockIdx.x) * Cells; first < cells;
       first += static_cast<std::int32_t>(gridDim.x) * Cells) {
    if (thread < Cells) task[thread] = make_task(work, first + thread, cells);
    if constexpr (Counters == Memory::shared) {
      for (std::int32_t n = thread; n < Cells * work.window_words * copies; n += threads) {
        counters[n] = 0;
      }
    }
    __syncthreads();
    for (std::int32_t n = thread; n < mode_entries; n += threads) {
      const std::size_t place = static_cast<std::size_t>(n / Cells) * work.level.u_mean.size +
                                static_cast<std::size_t>(task[n % Cells].cell);
      modes[n] = {work.level.u_mode[place], work.level.v_mode[place]};
    }
    __syncthreads();
    if (count_all<Cells, Counters>(work, task, modes, counters, copies)) {
      work.facts->missed = 1;
    }
    __syncthreads();
    for (std::int32_t c = thread / lanes; c < Cells; c += threads / lanes) {
      if (first + c >= cells) continue;
      write_window<Counters>(work, task[c], counters + c * work.window_words * copies, copies);
    }
    __syncthreads();
  }
}

/// How many cells a block takes and how many copies of each counter it keeps.
struct Shape {
  std::int32_t cells = 1;
  std::int32_t copies = 1;
  Memory counters = Memory::shared;

  std::size_t shared_bytes(const LandingWork& work) const {
    std::size_t bytes = static_cast<std::size_t>(cells) *
                        static_cast<std::size_t>(work.level.mode_count) * sizeof(float2);
    if (counters == Memory::shared) {
      bytes += static_cast<std::size_t>(cells) * static_cast<std::size_t>(work.window_words) *
               static_cast<std::size_t>(copies) * sizeof(std::uint32_t);
    }
    return bytes;
  }
};

/// As many cells, and then as many copies, as leave room for a few blocks on a multiprocessor.
Shape shape_of(const LandingWork& work) {
  constexpr std::size_t most = 40u << 10;         // [B] every device has 48 KiB a block
  constexpr std::size_t comfortable = 12u << 10;  // [B]
  constexpr std::int32_t most_copies = 8;
  Shape shape{4, 1, Memory::shared};
  while (shape.cells > 1 && shape.shared_bytes(work) > comfortable) shape.cells /= 2;
  if (shape.shared_bytes(work) > most) shape.counters = Memory::global;
  if (shape.counters == Memory::global) return shape;
  while (shape.copies < most_copies) {
    Shape more = shape;
    more.copies *= 2;
    if (more.shared_bytes(work) > comfortable) break;
    shape = more;
  }
  return shape;
}

template <std::int32_t Cells, Memory Counters>
void launch(const LandingWork& work, const Shape& shape, unsigned blocks,
            const DeviceStream& stream) {
  count<Cells, Counters>
      <<<blocks, threads, shape.shared_bytes(work), native(stream)>>>(work, shape.copies);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void count_transitions(const LandingWork& work, std::int32_t most_cells,
                       std::int32_t multiprocessors, const DeviceStream& stream) {
  const Shape shape = shape_of(work);
  const auto blocks = static_cast<unsigned>(
      std::min((most_cells + shape.cells - 1) / shape.cells, multiprocessors * 8));
  if (shape.counters == Memory::global) {
    const std::size_t words =
        static_cast<std::size_t>(most_cells) * static_cast<std::size_t>(work.window_words);
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(work.counts, 0, words * sizeof(std::uint32_t), native(stream)));
    launch<1, Memory::global>(work, shape, blocks, stream);
  } else if (shape.cells == 4) {
    launch<4, Memory::shared>(work, shape, blocks, stream);
  } else if (shape.cells == 2) {
    launch<2, Memory::shared>(work, shape, blocks, stream);
  } else {
    launch<1, Memory::shared>(work, shape, blocks, stream);
  }
}

}  // namespace tidewise

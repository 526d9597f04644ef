#pragma once

#include <cstdint>

#include "model_builder/device_lattice.cuh"

// The `direct` engine on the device: a block takes a cell, finds the box of its cloud, and counts
// every realization under every action. It also takes the cells that the lattice leaves, however
// wide their clouds: the windows of all actions, row by row, are one list of lines, and as many
// lines are counted at a time as shared memory holds.

namespace tidewise {

/// The shape of the direct kernel's work on one cell: `line_words` counters of shared memory.
struct DirectArguments {
  View<const Displacement> action;
  std::int32_t line_words = 0;  ///< ≥ 2050, the widest line that there can be
};
inline constexpr std::int32_t direct_threads = 256;
inline constexpr std::int32_t least_direct_words = 2 * greatest_displacement + 2;

namespace direct {

__device__ inline Displacement displacement_of(const DeviceCloud& cloud, std::size_t cell,
                                               std::int32_t realization) {
  const LevelView& level = cloud.level;
  const float* coefficient = cloud.coefficient +
                             static_cast<std::size_t>(realization / coefficient_tile) *
                                 static_cast<std::size_t>(level.mode_count * coefficient_tile) +
                             realization % coefficient_tile;
  const float u = velocity(level.u_mean[cell], level.u_mode.data + cell, level.u_mean.size,
                           coefficient, coefficient_tile, level.mode_count);
  const float v = velocity(level.v_mean[cell], level.v_mode.data + cell, level.v_mean.size,
                           coefficient, coefficient_tile, level.mode_count);
  return {to_displacement(u, cloud.scale.x), to_displacement(v, cloud.scale.y)};
}

struct Box {
  Displacement least;
  Displacement greatest;
};

/// The box of a cell's cloud, in every thread of the block.
__device__ inline Box box_of(const DeviceCloud& cloud, std::size_t cell) {
  __shared__ std::int32_t shared[4];
  if (threadIdx.x < 4) shared[threadIdx.x] = threadIdx.x < 2 ? INT32_MAX : INT32_MIN;
  __syncthreads();
  Box box{{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (auto r = static_cast<std::int32_t>(threadIdx.x); r < cloud.level.realization_count;
       r += direct_threads) {
    const Displacement flow = displacement_of(cloud, cell, r);
    box.least = {min(box.least.x, flow.x), min(box.least.y, flow.y)};
    box.greatest = {max(box.greatest.x, flow.x), max(box.greatest.y, flow.y)};
  }
  atomicMin(&shared[0], box.least.x);
  atomicMin(&shared[1], box.least.y);
  atomicMax(&shared[2], box.greatest.x);
  atomicMax(&shared[3], box.greatest.y);
  __syncthreads();
  box = {{shared[0], shared[1]}, {shared[2], shared[3]}};
  __syncthreads();
  return box;
}

}  // namespace direct

/// Counts the cells of a list and gives each to the sink, line by line. Launch: direct_threads
/// threads, any number of blocks; shared memory: arguments.line_words · 4 bytes.
/// The sink: begin(cell); line(action, first offset, counts, width) by any thread, whose results
/// come back to add(action, sums in order) by one; finish() by one.
template <class Sink>
__global__ void __launch_bounds__(direct_threads)
    count_directly(const __grid_constant__ DeviceCloud cloud,
                   const __grid_constant__ DirectArguments arguments, const std::int32_t* cells,
                   const std::int32_t* cell_count, Sink sink) {
  extern __shared__ std::uint32_t counts[];
  __shared__ float line_sum[direct_threads];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto actions = static_cast<std::int32_t>(arguments.action.size);
  for (auto n = static_cast<std::int32_t>(blockIdx.x); n < *cell_count;
       n += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t index = cells[n];
    const auto cell = static_cast<std::size_t>(index);
    const direct::Box box = direct::box_of(cloud, cell);
    // Wide enough for every action, wherever in a cell its landings begin.
    const std::int32_t width = ((box.greatest.x - box.least.x) >> fraction_bits) + 2;
    const std::int32_t height = ((box.greatest.y - box.least.y) >> fraction_bits) + 2;
    const std::int32_t at_a_time = min(arguments.line_words / width, direct_threads);
    const std::int32_t lines = actions * height;
    sink.begin(index);
    for (std::int32_t first = 0; first < lines; first += at_a_time) {
      const std::int32_t end = min(first + at_a_time, lines);
      for (std::int32_t w = thread; w < (end - first) * width; w += direct_threads) counts[w] = 0;
      __syncthreads();
      const std::int32_t first_action = first / height;
      const std::int32_t last_action = (end - 1) / height;
      for (std::int32_t r = thread; r < cloud.level.realization_count; r += direct_threads) {
        const Displacement flow = direct::displacement_of(cloud, cell, r);
        const std::uint32_t weight =
            cloud.weight.empty() ? 1u : cloud.weight[static_cast<std::size_t>(r)];
        for (std::int32_t a = first_action; a <= last_action; ++a) {
          const Displacement step = arguments.action[static_cast<std::size_t>(a)];
          const std::int32_t column =
              landing_offset(flow.x, step.x) - landing_offset(box.least.x, step.x);
          const std::int32_t line =
              a * height + landing_offset(flow.y, step.y) - landing_offset(box.least.y, step.y);
          if (line < first || line >= end) continue;
          std::uint32_t* count = &counts[(line - first) * width + column];
          if (cloud.weight.empty()) {
            atomicAdd(count, 1u);  // the hardware adds up a warp's ones in one go
          } else {
            atomicAdd(count, weight);
          }
        }
      }
      __syncthreads();
      if (const std::int32_t line = first + thread; line < end) {
        const std::int32_t a = line / height;
        const Displacement step = arguments.action[static_cast<std::size_t>(a)];
        const Offset from{landing_offset(box.least.x, step.x),
                          landing_offset(box.least.y, step.y) + line - a * height};
        line_sum[thread] = sink.line(index, a, from, counts + thread * width, width);
      }
      __syncthreads();
      if (thread == 0) {
        for (std::int32_t line = first; line < end; ++line) {
          const std::int32_t row = line % height;
          sink.add(line / height, row, row + 1 == height, line_sum[line - first]);
        }
      }
    }
    if (thread == 0) sink.finish(index);
    __syncthreads();
  }
}

}  // namespace tidewise

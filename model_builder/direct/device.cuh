#pragma once

#include <cstdint>

#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"

// The `direct` engine on the device: a block takes a cell, finds the box of its cloud, and counts
// every realization under every action. It also takes the cells that the lattice leaves, however
// wide their clouds. The windows of the actions, row after row, are one list of lines; where shared
// memory does not hold them all, they are counted some at a time.

namespace tidewise {

/// What the direct kernel works with.
struct DirectArguments {
  View<const Displacement> action;
  Displacement least;  ///< of all actions, along each axis
  Displacement greatest;
  std::int32_t line_words = 0;  ///< counters in shared memory, ≥ least_direct_words
  std::int32_t x_bins = 1;      ///< lattice bins per cell, for the guess of DeviceCellLists
  std::int32_t y_bins = 1;
};
inline constexpr std::int32_t direct_threads = 256;
/// Actions that are counted together.
inline constexpr std::int32_t direct_actions = 256;
/// The widest line that there can be.
inline constexpr std::int32_t least_direct_words = 2 * greatest_displacement + 2;

inline DirectArguments direct_arguments(View<const Displacement> actions, Displacement least,
                                        Displacement greatest, std::int32_t x_bins,
                                        std::int32_t y_bins) {
  constexpr std::int32_t line_words = 6144;  // 24 KiB: some blocks fit everywhere
  static_assert(line_words >= least_direct_words);
  return {actions, least, greatest, line_words, x_bins, y_bins};
}

inline std::size_t direct_shared_bytes(const DirectArguments& arguments, std::int32_t modes) {
  return static_cast<std::size_t>(arguments.line_words) * sizeof(std::uint32_t) +
         static_cast<std::size_t>(modes) * sizeof(float2);
}

namespace direct {

/// Calls visit(realization, displacement) for every realization of a cell, each by one thread.
template <class Visit>
__device__ inline void for_each_displacement(const DeviceCloud& cloud, const float2* modes,
                                             std::size_t cell, const Visit& visit) {
  const LevelView& level = cloud.level;
  const lattice::ModeOfCells<1>* mode = reinterpret_cast<const lattice::ModeOfCells<1>*>(modes);
  const float u_mean[1] = {__ldg(level.u_mean.data + cell)};
  const float v_mean[1] = {__ldg(level.v_mean.data + cell)};
  for (auto first = static_cast<std::int32_t>(threadIdx.x) * 4; first < level.realization_count;
       first += direct_threads * 4) {
    const float* coefficient = cloud.coefficient +
                               first / coefficient_tile * level.mode_count * coefficient_tile +
                               first % coefficient_tile;
    float u[1][4];
    float v[1][4];
    lattice::begin_modes(coefficient, mode[0], u_mean, v_mean, u, v);
    std::int32_t m = 1;
    lattice::add_modes<3>(coefficient, mode, level.mode_count, m, u, v);
    lattice::add_modes<1>(coefficient, mode, level.mode_count, m, u, v);
    Displacement flow[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      flow[j] = {to_displacement(u[0][j], cloud.scale.x), to_displacement(v[0][j], cloud.scale.y)};
    }
    visit(first, flow);
  }
}

struct Box {
  Displacement least;
  Displacement greatest;
};

/// u and v of a cell's modes, for the block to share.
__device__ inline void load_modes(const DeviceCloud& cloud, std::size_t cell, float2* modes) {
  for (auto m = static_cast<std::int32_t>(threadIdx.x); m < cloud.level.mode_count;
       m += direct_threads) {
    const std::size_t place = static_cast<std::size_t>(m) * cloud.level.u_mean.size + cell;
    modes[m] = {__ldg(cloud.level.u_mode.data + place), __ldg(cloud.level.v_mode.data + place)};
  }
  __syncthreads();
}

/// What turns a displacement under an action into a column and a row of its window.
__device__ inline int2 shift_of(const Displacement& step, const Box& box) {
  return {step.x + half_cell - landing_offset(box.least.x, step.x) * one_cell,
          step.y + half_cell - landing_offset(box.least.y, step.y) * one_cell};
}

/// The box of a cell's cloud, in every thread of the block. The last realization may come again.
__device__ inline Box box_of(const DeviceCloud& cloud, const float2* modes, std::size_t cell) {
  __shared__ std::int32_t shared[4];
  if (threadIdx.x < 4) shared[threadIdx.x] = threadIdx.x < 2 ? INT32_MAX : INT32_MIN;
  __syncthreads();
  Box box{{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for_each_displacement(cloud, modes, cell, [&](std::int32_t, const Displacement(&flow)[4]) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      box.least = {min(box.least.x, flow[j].x), min(box.least.y, flow[j].y)};
      box.greatest = {max(box.greatest.x, flow[j].x), max(box.greatest.y, flow[j].y)};
    }
  });
  atomicMin(&shared[0], box.least.x);
  atomicMin(&shared[1], box.least.y);
  atomicMax(&shared[2], box.greatest.x);
  atomicMax(&shared[3], box.greatest.y);
  __syncthreads();
  box = {{shared[0], shared[1]}, {shared[2], shared[3]}};
  return box;
}

/// The windows of all actions of one cell: wide enough for each, wherever in a cell its landings
/// begin.
struct Windows {
  Box box;  ///< of the cloud
  std::int32_t width;
  std::int32_t height;
};

/// Loads a cell's modes, finds its windows, and notes which histogram would have held its cloud.
__device__ inline Windows measure(const DeviceCloud& cloud, const DirectArguments& arguments,
                                  const DeviceCellLists& lists, std::size_t cell, float2* modes) {
  load_modes(cloud, cell, modes);
  const Box box = box_of(cloud, modes, cell);
  const std::int32_t width = ((box.greatest.x - box.least.x) >> fraction_bits) + 2;
  const std::int32_t height = ((box.greatest.y - box.least.y) >> fraction_bits) + 2;
  if (threadIdx.x == 0) {
    lists.class_of[cell] =
        expected_class(lists, width * arguments.x_bins, height * arguments.y_bins);
  }
  return {box, width, height};
}

/// The lines [first, end) of some actions' windows.
struct Lines {
  std::int32_t first;
  std::int32_t end;
  std::int32_t width;   ///< of a line
  std::int32_t height;  ///< lines to an action
};

/// Counts all landings on those lines. shift: of each action, what turns a displacement into a
/// column and a row of its window. All: every line of the actions is there.
template <bool All>
__device__ inline void count_lines(const DeviceCloud& cloud, const float2* modes, std::size_t cell,
                                   const Lines& lines, const int2* shift, std::uint32_t* counts) {
  const std::int32_t first_action = lines.first / lines.height;
  const std::int32_t end_action = (lines.end - 1) / lines.height + 1;
  const std::int32_t realizations = cloud.level.realization_count;
  const bool weighted = !cloud.weight.empty();
  for_each_displacement(
      cloud, modes, cell, [&](std::int32_t realization, const Displacement(&flow)[4]) {
        const std::int32_t there = min(realizations - realization, 4);
        std::uint32_t weight[4] = {1, 1, 1, 1};
        if (weighted) {
          for (int j = 0; j < there; ++j) weight[j] = __ldg(cloud.weight.data + realization + j);
        }
        for (std::int32_t a = first_action; a < end_action; ++a) {
          const int2 by = shift[a];
          const std::int32_t line_of_action = a * lines.height - lines.first;
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            if (j >= there) break;
            const std::int32_t column = (flow[j].x + by.x) >> fraction_bits;
            const std::int32_t line = line_of_action + ((flow[j].y + by.y) >> fraction_bits);
            if (!All && (line < 0 || line >= lines.end - lines.first)) continue;
            std::uint32_t* count = counts + line * lines.width + column;
            if (weighted) {
              atomicAdd(count, weight[j]);
            } else {
              atomicAdd(count, 1u);  // the hardware adds up a warp's ones in one go
            }
          }
        }
      });
}

/// The windows of all actions of one cell, for a sink that reads them at will.
struct DenseTable {
  const std::uint32_t* counts;  ///< (action, row, column)
  const DirectArguments* arguments;
  Displacement least;  ///< of the cloud
  std::int32_t width;
  std::int32_t height;

  __device__ Offset origin(std::int32_t a) const {
    const Displacement step = arguments->action[static_cast<std::size_t>(a)];
    return {landing_offset(least.x, step.x), landing_offset(least.y, step.y)};
  }
  /// Corners of all actions' windows together.
  __device__ Offset first() const {
    return {landing_offset(least.x, arguments->least.x),
            landing_offset(least.y, arguments->least.y)};
  }
  __device__ Offset last() const {
    return {landing_offset(least.x, arguments->greatest.x) + width - 1,
            landing_offset(least.y, arguments->greatest.y) + height - 1};
  }
  template <class Landing, class RowEnd>
  __device__ void visit(std::int32_t a, const Landing& landing, const RowEnd& row_end) const {
    const std::uint32_t* count = counts + a * height * width;
    for (std::int32_t row = 0; row < height; ++row) {
      for (std::int32_t column = 0; column < width; ++column) landing(column, row, *count++);
      row_end();
    }
  }
};

}  // namespace direct

/// Counts the cells of a list, and gives the windows of all actions to a sink that takes tables, or
/// says that they are too wide for that. Launch: as count_directly().
template <class Sink>
__global__ void __launch_bounds__(direct_threads)
    tabulate_directly(const __grid_constant__ DeviceCloud cloud,
                      const __grid_constant__ DirectArguments arguments,
                      const __grid_constant__ DeviceCellLists lists, const std::int32_t* list,
                      const std::int32_t* cell_count, const __grid_constant__ Sink sink) {
  extern __shared__ std::uint32_t counts[];
  auto* modes = reinterpret_cast<float2*>(counts + arguments.line_words);
  __shared__ int2 shift[direct_actions];
  __shared__ std::uint64_t sink_memory[64];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto actions = static_cast<std::int32_t>(arguments.action.size);
  const CellGroup<direct_threads> group{0};
  for (auto n = static_cast<std::int32_t>(blockIdx.x); n < *cell_count;
       n += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t index = list[n];
    const auto cell = static_cast<std::size_t>(index);
    const auto [box, width, height] = direct::measure(cloud, arguments, lists, cell, modes);
    const std::int64_t words = std::int64_t{actions} * width * height;
    if (actions > direct_actions || words > arguments.line_words) {
      if (thread == 0) sink.leave(index);
    } else {
      if (thread < actions) {
        shift[thread] = direct::shift_of(arguments.action[static_cast<std::size_t>(thread)], box);
      }
      for (std::int32_t w = thread; w < words; w += direct_threads) counts[w] = 0;
      __syncthreads();
      direct::count_lines<true>(cloud, modes, cell, {0, actions * height, width, height}, shift,
                                counts);
      __syncthreads();
      const direct::DenseTable table{counts, &arguments, box.least, width, height};
      if (sink.fits(table)) {
        sink.take(index, table, reinterpret_cast<char*>(sink_memory), group);
      } else if (thread == 0) {
        sink.leave(index);
      }
    }
    __syncthreads();
  }
}

/// Counts the cells of a list and gives each to the sink, line by line. Launch: direct_threads
/// threads, any number of blocks, direct_shared_bytes() of shared memory. The sink has
///   float line(cell, action, first offset, counts, width): what a line comes to, in any thread;
///   void of_action(cell, action, sum of its lines from south to north, best): by one thread;
///   Best none(), better(a, b) and best_of_warp(a); void decide(cell, best).
template <class Sink>
__global__ void __launch_bounds__(direct_threads)
    count_directly(const __grid_constant__ DeviceCloud cloud,
                   const __grid_constant__ DirectArguments arguments,
                   const __grid_constant__ DeviceCellLists lists, const std::int32_t* list,
                   const std::int32_t* cell_count, const __grid_constant__ Sink sink) {
  extern __shared__ std::uint32_t counts[];
  auto* modes = reinterpret_cast<float2*>(counts + arguments.line_words);
  __shared__ int2 shift[direct_actions];
  __shared__ float total[direct_actions];
  __shared__ typename Sink::Best best_of_warp[direct_threads / 32];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto actions = static_cast<std::int32_t>(arguments.action.size);
  for (auto n = static_cast<std::int32_t>(blockIdx.x); n < *cell_count;
       n += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t index = list[n];
    const auto cell = static_cast<std::size_t>(index);
    const auto [box, width, height] = direct::measure(cloud, arguments, lists, cell, modes);
    typename Sink::Best best = Sink::none();
    for (std::int32_t first_action = 0; first_action < actions; first_action += direct_actions) {
      const std::int32_t some = min(actions - first_action, direct_actions);
      if (thread < some) {
        shift[thread] = direct::shift_of(
            arguments.action[static_cast<std::size_t>(first_action + thread)], box);
        total[thread] = 0;
      }
      const std::int32_t at_a_time = arguments.line_words / width;
      for (std::int32_t first = 0; first < some * height; first += at_a_time) {
        const direct::Lines lines{first, min(first + at_a_time, some * height), width, height};
        const std::int32_t line_count = lines.end - lines.first;
        for (std::int32_t w = thread; w < line_count * width; w += direct_threads) counts[w] = 0;
        __syncthreads();
        if (line_count == some * height) {
          direct::count_lines<true>(cloud, modes, cell, lines, shift, counts);
        } else {
          direct::count_lines<false>(cloud, modes, cell, lines, shift, counts);
        }
        __syncthreads();
        for (std::int32_t line = thread; line < line_count; line += direct_threads) {
          const std::int32_t a = (first + line) / height;
          const Displacement step = arguments.action[static_cast<std::size_t>(first_action + a)];
          const Offset from{landing_offset(box.least.x, step.x),
                            landing_offset(box.least.y, step.y) + first + line - a * height};
          std::uint32_t* of_line = counts + line * width;
          // Nobody else reads a line, so its result takes the place of its first count.
          *of_line = __float_as_uint(sink.line(index, first_action + a, from, of_line, width));
        }
        __syncthreads();
        if (thread < some) {
          float sum = total[thread];
          const std::int32_t end = min((thread + 1) * height, lines.end);
          for (std::int32_t line = max(thread * height, first); line < end; ++line) {
            sum += __uint_as_float(counts[(line - first) * width]);
          }
          total[thread] = sum;
        }
        __syncthreads();
      }
      if (thread < some) sink.of_action(index, first_action + thread, total[thread], best);
    }
    best = Sink::best_of_warp(best);
    if (thread % 32 == 0) best_of_warp[thread / 32] = best;
    __syncthreads();
    if (thread == 0) {
      for (int w = 1; w < direct_threads / 32; ++w) best = Sink::better(best, best_of_warp[w]);
      sink.decide(index, best);
    }
    __syncthreads();
  }
}

}  // namespace tidewise

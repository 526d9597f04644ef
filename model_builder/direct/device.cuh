#pragma once

#include <cstdint>

#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/table.cuh"

// The `direct` engine on the device: a block takes a cell, finds the box of its cloud, and counts
// every realization under every action. It also takes the cells that the lattice rejects, with
// clouds of any width. The windows of the actions, row by row, form one list of lines; if shared
// memory cannot hold all of them, they are counted in several passes.

namespace tidewise {

/// Threads per block.
inline constexpr std::int32_t direct_threads = 256;
/// Number of actions that are counted together.
inline constexpr std::int32_t direct_actions = 256;
/// Counters in shared memory: 24 KiB, so that several blocks fit on every device.
inline constexpr std::int32_t direct_words = 6144;
/// A line of the greatest possible width fits.
static_assert(direct_words >= 2 * greatest_displacement + 4);

/// Dynamic shared memory of the kernels [B].
inline std::size_t direct_shared_bytes(std::int32_t modes) {
  return static_cast<std::size_t>(direct_words) * sizeof(std::uint32_t) +
         cloud::shared_bytes(1, modes);
}

namespace direct {

/// One cell's modes in shared memory.
struct SharedCell {
  ModeBytes* modes;  ///< (axis, group)
  CellSpread* spread;
};
__device__ inline SharedCell shared_cell(const DeviceCloud& cloud, std::uint32_t* counts) {
  auto* modes = reinterpret_cast<ModeBytes*>(counts + direct_words);
  return {modes, reinterpret_cast<CellSpread*>(modes + 2 * cloud.groups())};
}

/// The stencils of a cell's actions, from the box of its cloud, in every thread of the block. Also
/// records the class of the histogram that would have sufficed.
__device__ inline ActionStencils measure(const DeviceCloud& cloud, const DeviceActionSet& actions,
                                         const DeviceCellLists& lists, std::int32_t cell,
                                         const SharedCell& shared) {
  __shared__ std::int32_t box[4];
  if (threadIdx.x < 4) box[threadIdx.x] = threadIdx.x % 2 == 0 ? INT32_MAX : INT32_MIN;
  cloud::load_modes(
      cloud, 1, [&](std::int32_t) { return cell; }, shared.modes, shared.spread);
  __syncthreads();
  std::int32_t west = INT32_MAX;
  std::int32_t east = INT32_MIN;
  std::int32_t south = INT32_MAX;
  std::int32_t north = INT32_MIN;
  cloud::for_each_realization<direct_threads>(cloud, shared.modes, *shared.spread,
                                              [&](std::int32_t, std::int32_t x, std::int32_t y) {
                                                west = min(west, x);
                                                east = max(east, x);
                                                south = min(south, y);
                                                north = max(north, y);
                                              });
  atomicMin(&box[0], west);
  atomicMax(&box[1], east);
  atomicMin(&box[2], south);
  atomicMax(&box[3], north);
  __syncthreads();
  if (threadIdx.x == 0) {
    lists.class_of[cell] =
        expected_class(lists, 2 * max(-box[0], box[1]) + 1, 2 * max(-box[2], box[3]) + 1);
  }
  return ActionStencils(actions, cloud.rule, *shared.spread, box[0], box[1], box[2], box[3]);
}

/// The lines [first, end) of some actions' stencils.
struct Lines {
  std::int32_t first;
  std::int32_t end;
  std::int32_t width;   ///< width of a line
  std::int32_t height;  ///< lines per action
};

/// The shift from a position of the cloud to one relative to the corner of an action's stencil.
__device__ inline int2 shift_of(const ActionStencils& stencils, std::int32_t action) {
  const Displacement& step = stencils.actions->displacement[static_cast<std::size_t>(action)];
  const Offset origin = stencils.origin(step);
  return {stencils.certain_x(step) - origin.dx * positions_per_cell,
          stencils.certain_y(step) - origin.dy * positions_per_cell};
}

/// Counts all landings on those lines. `shift`: (action), from shift_of(). `All`: true if every
/// line of the actions is included.
template <bool All>
__device__ inline void count_lines(const DeviceCloud& cloud, const SharedCell& cell,
                                   const Lines& lines, const int2* shift, std::uint32_t* counts) {
  const std::int32_t first_action = lines.first / lines.height;
  const std::int32_t end_action = (lines.end - 1) / lines.height + 1;
  const bool weighted = !cloud.weight.empty();
  const PositionRule rule = cloud.rule;
  const bool ones = !weighted && rule.landing == LandingBy::cell;
  cloud::for_each_realization<direct_threads>(
      cloud, cell.modes, *cell.spread,
      [&](std::int32_t realization, std::int32_t x, std::int32_t y) {
        const std::uint32_t weight = weighted ? __ldg(cloud.weight.data + realization) : 1;
        for (std::int32_t a = first_action; a < end_action; ++a) {
          const std::int32_t px = position_of(x, shift[a].x, rule);
          const std::int32_t py = position_of(y, shift[a].y, rule);
          const std::int32_t line_of_action = a * lines.height - lines.first;
          if (ones) {  // the hardware combines these additions of a warp
            const std::int32_t line = line_of_action + rule.first_cell(py);
            if (!All && (line < 0 || line >= lines.end - lines.first)) continue;
            atomicAdd(counts + line * lines.width + rule.first_cell(px), 1u);
            continue;
          }
          for_each_share(rule, px, py,
                         [&](std::int32_t column, std::int32_t row, std::uint32_t share) {
                           const std::int32_t line = line_of_action + row;
                           if (!All && (line < 0 || line >= lines.end - lines.first)) return;
                           atomicAdd(counts + line * lines.width + column, weight * share);
                         });
        }
      });
}

/// The stencils of all actions of one cell, with random access for a sink.
struct DenseTable : ActionStencils {
  const std::uint32_t* counts;  ///< (action, row, column)

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

/// Counts the cells of a list and passes the stencils of all actions to a sink that takes tables,
/// or calls leave() if they are too wide. Launch: as for count_directly().
template <class Sink>
__global__ void __launch_bounds__(direct_threads)
    tabulate_directly(const __grid_constant__ DeviceCloud cloud,
                      const __grid_constant__ DeviceActionSet actions,
                      const __grid_constant__ DeviceCellLists lists, const std::int32_t* list,
                      const std::int32_t* cell_count, const __grid_constant__ Sink sink) {
  extern __shared__ uint4 direct_memory[];
  auto* counts = reinterpret_cast<std::uint32_t*>(direct_memory);
  const direct::SharedCell shared = direct::shared_cell(cloud, counts);
  __shared__ int2 shift[direct_actions];
  __shared__ std::uint64_t sink_memory[64];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto action_count = static_cast<std::int32_t>(actions.displacement.size);
  const CellGroup<direct_threads> group{0};
  for (auto n = static_cast<std::int32_t>(blockIdx.x); n < *cell_count;
       n += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t cell = list[n];
    const ActionStencils stencils = direct::measure(cloud, actions, lists, cell, shared);
    const std::int64_t words = std::int64_t{action_count} * stencils.width * stencils.height;
    if (action_count > direct_actions || words > direct_words) {
      if (thread == 0) sink.leave(cell);
    } else {
      if (thread < action_count) shift[thread] = direct::shift_of(stencils, thread);
      for (std::int32_t w = thread; w < words; w += direct_threads) counts[w] = 0;
      __syncthreads();
      direct::count_lines<true>(
          cloud, shared, {0, action_count * stencils.height, stencils.width, stencils.height},
          shift, counts);
      __syncthreads();
      const direct::DenseTable table{stencils, counts};
      if (sink.fits(table)) {
        sink.take(cell, table, reinterpret_cast<char*>(sink_memory), group);
      } else if (thread == 0) {
        sink.leave(cell);
      }
    }
    __syncthreads();
  }
}

/// Counts the cells of a list and passes them to the sink, line by line. Launch: direct_threads
/// threads, any number of blocks, direct_shared_bytes() of shared memory. The sink has
///   float line(cell, action, first offset, counts, width): value of a line, in any thread;
///   void of_action(cell, action, sum of its lines from south to north, best): by one thread;
///   Best none(), better(a, b) and best_of_warp(a); void decide(cell, best).
template <class Sink>
__global__ void __launch_bounds__(direct_threads)
    count_directly(const __grid_constant__ DeviceCloud cloud,
                   const __grid_constant__ DeviceActionSet actions,
                   const __grid_constant__ DeviceCellLists lists, const std::int32_t* list,
                   const std::int32_t* cell_count, const __grid_constant__ Sink sink) {
  extern __shared__ uint4 direct_memory[];
  auto* counts = reinterpret_cast<std::uint32_t*>(direct_memory);
  const direct::SharedCell shared = direct::shared_cell(cloud, counts);
  __shared__ int2 shift[direct_actions];
  __shared__ float total[direct_actions];
  __shared__ typename Sink::Best best_of_warp[direct_threads / 32];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto action_count = static_cast<std::int32_t>(actions.displacement.size);
  for (auto n = static_cast<std::int32_t>(blockIdx.x); n < *cell_count;
       n += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t cell = list[n];
    const ActionStencils stencils = direct::measure(cloud, actions, lists, cell, shared);
    const std::int32_t width = stencils.width;
    const std::int32_t height = stencils.height;
    typename Sink::Best best = Sink::none();
    for (std::int32_t first_action = 0; first_action < action_count;
         first_action += direct_actions) {
      const std::int32_t some = min(action_count - first_action, direct_actions);
      if (thread < some) {
        shift[thread] = direct::shift_of(stencils, first_action + thread);
        total[thread] = 0;
      }
      const std::int32_t at_a_time = direct_words / width;
      for (std::int32_t first = 0; first < some * height; first += at_a_time) {
        const direct::Lines lines{first, min(first + at_a_time, some * height), width, height};
        const std::int32_t line_count = lines.end - lines.first;
        for (std::int32_t w = thread; w < line_count * width; w += direct_threads) counts[w] = 0;
        __syncthreads();
        if (line_count == some * height) {
          direct::count_lines<true>(cloud, shared, lines, shift, counts);
        } else {
          direct::count_lines<false>(cloud, shared, lines, shift, counts);
        }
        __syncthreads();
        for (std::int32_t line = thread; line < line_count; line += direct_threads) {
          const std::int32_t a = (first + line) / height;
          const Offset origin = stencils.origin(first_action + a);
          const Offset from{origin.dx, origin.dy + first + line - a * height};
          std::uint32_t* of_line = counts + line * width;
          // Only this thread reads the line, so its result can replace its first count.
          *of_line = __float_as_uint(sink.line(cell, first_action + a, from, of_line, width));
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
      if (thread < some) sink.of_action(cell, first_action + thread, total[thread], best);
    }
    best = Sink::best_of_warp(best);
    if (thread % 32 == 0) best_of_warp[thread / 32] = best;
    __syncthreads();
    if (thread == 0) {
      for (int w = 1; w < direct_threads / 32; ++w) best = Sink::better(best, best_of_warp[w]);
      sink.decide(cell, best);
    }
    __syncthreads();
  }
}

}  // namespace tidewise

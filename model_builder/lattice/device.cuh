#pragma once

#include <cstdint>

#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/shape.cuh"
#include "model_builder/cloud/table.cuh"

// The `lattice` engine on the device (docs/model.md, 2.2). A block takes some cells and walks their
// clouds through all realizations once: velocity, displacement, fine bin, and one more in a
// histogram in shared memory. The histogram is a ring: bin (x, y) lies at (x + stride·y) modulo its
// size, so that it can be filled before the cloud's box is known; the box is gathered on the way,
// and a cloud too wide for the ring is left to a larger one. Then the histogram becomes a
// summed-area table, and a sink (DeviceBackup, …) reads every action's counts off it.
//
// bench/results/planner_gpu.md has the ladder of versions.

namespace tidewise {
namespace lattice {

/// u and v of every mode in the block's cells, into shared memory. The last block may have fewer
/// cells: its last is counted again, and taken once.
template <class Shape>
__device__ inline void load_modes(const DeviceCloud& cloud, const std::int32_t* list,
                                  std::int32_t first, std::int32_t cell_count, float* modes) {
  constexpr std::int32_t a_mode = 2 * Shape::cells;
  for (auto n = static_cast<std::int32_t>(threadIdx.x); n < cloud.level.mode_count * a_mode;
       n += Shape::threads) {
    const float* field = (n & 1) == 0 ? cloud.level.u_mode.data : cloud.level.v_mode.data;
    const std::int32_t cell = list[min(first + n / 2 % Shape::cells, cell_count - 1)];
    modes[n] = __ldg(field + static_cast<std::size_t>(n / a_mode) * cloud.level.u_mean.size + cell);
  }
}

/// An axis's table, in the lanes or in shared memory at `entries`.
template <class Shape>
__device__ inline BinLookup<Shape::lookup> lookup_of(const DeviceLatticeAxis& axis,
                                                     std::int32_t* entries) {
  BinLookup<Shape::lookup> lookup{0, entries, axis.shift, axis.bins_per_cell - 1, axis.extra};
  if constexpr (Shape::lookup == Lookup::shuffle) {
    lookup.entry_of_lane = axis.entry[threadIdx.x % 32];
  } else {
    for (std::size_t n = threadIdx.x; n < axis.entry.size; n += Shape::threads) {
      entries[n] = axis.entry[n];
    }
  }
  return lookup;
}

/// The boxes that a warp's lanes have gathered, into shared memory: (cell, warp).
template <class Shape>
__device__ inline void share_boxes(std::uint32_t (&least)[Shape::cells],
                                   std::uint32_t (&greatest)[Shape::cells],
                                   std::uint32_t (*least_bins)[Shape::threads / 32],
                                   std::uint32_t (*greatest_bins)[Shape::threads / 32]) {
#pragma unroll
  for (int c = 0; c < Shape::cells; ++c) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      least[c] = __vmins2(least[c], __shfl_xor_sync(0xffffffffu, least[c], d));
      greatest[c] = __vmaxs2(greatest[c], __shfl_xor_sync(0xffffffffu, greatest[c], d));
    }
    if (threadIdx.x % 32 == 0) {
      least_bins[c][threadIdx.x / 32] = least[c];
      greatest_bins[c][threadIdx.x / 32] = greatest[c];
    }
  }
}

/// The table of one cell, but for where it lies, from the boxes of all warps.
template <class Shape>
__device__ inline LatticeTable<Shape> table_of_box(
    const std::uint32_t (&least_bins)[Shape::threads / 32],
    const std::uint32_t (&greatest_bins)[Shape::threads / 32], const DeviceLatticeAxis& x_axis,
    const DeviceLatticeAxis& y_axis) {
  std::uint32_t low = least_bins[0];
  std::uint32_t high = greatest_bins[0];
#pragma unroll
  for (int w = 1; w < Shape::threads / 32; ++w) {
    low = __vmins2(low, least_bins[w]);
    high = __vmaxs2(high, greatest_bins[w]);
  }
  const auto lower = [](std::uint32_t halves) {
    return static_cast<std::int32_t>(static_cast<std::int16_t>(halves & 0xffffu)) >> 4;
  };
  const auto upper = [](std::uint32_t halves) { return static_cast<std::int32_t>(halves) >> 20; };
  LatticeTable<Shape> table;
  table.x_axis = &x_axis;
  table.y_axis = &y_axis;
  table.x_min = lower(low);
  table.x_max = lower(high);
  table.y_min = upper(low);
  table.y_max = upper(high);
  table.width = (table.x_max - table.x_min + x_axis.bins_per_cell - 1) / x_axis.bins_per_cell + 1;
  table.height = (table.y_max - table.y_min + y_axis.bins_per_cell - 1) / y_axis.bins_per_cell + 1;
  return table;
}

}  // namespace lattice

/// Counts the cells of one class and gives each to the sink, as a LatticeTable, with the group of
/// threads that has it in hand. Launch: Shape::threads threads, any number of blocks.
template <class Shape, class Sink>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    count_on_lattice(const __grid_constant__ DeviceCloud cloud,
                     const __grid_constant__ DeviceLatticeAxis x_axis,
                     const __grid_constant__ DeviceLatticeAxis y_axis,
                     const __grid_constant__ DeviceCellLists lists, std::int32_t frame_class,
                     const __grid_constant__ Sink sink) {
  constexpr int cells = Shape::cells;
  using Group = CellGroup<Shape::threads / cells>;
  constexpr std::int32_t per_load = 4;
  constexpr std::int32_t a_pass = Shape::threads * per_load;
  static_assert(a_pass % coefficient_tile == 0 && widest_pass % a_pass == 0);
  extern __shared__ uint4 shared_memory[];
  __shared__ std::uint32_t least_bins[cells][Shape::threads / 32];
  __shared__ std::uint32_t greatest_bins[cells][Shape::threads / 32];
  const std::int32_t* list = lists.cell[frame_class];
  const std::int32_t cell_count = lists.count[frame_class];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto leave = [&](std::int32_t cell) {
    const std::int32_t next = used_class(lists, frame_class + 1);
    lists.cell[next][atomicAdd(lists.count + next, 1)] = cell;
  };
  if (*lists.fits == 0) {
    for (std::int32_t n = static_cast<std::int32_t>(blockIdx.x) * Shape::threads + thread;
         n < cell_count; n += static_cast<std::int32_t>(gridDim.x) * Shape::threads) {
      leave(list[n]);
    }
    return;
  }
  using Counter = typename Shape::Counter;
  auto* frames = reinterpret_cast<Counter*>(shared_memory);
  auto* modes = reinterpret_cast<float*>(frames + cells * Shape::size);
  const std::int32_t mode_count = cloud.level.mode_count;
  auto* entries = reinterpret_cast<std::int32_t*>(modes + mode_count * 2 * cells);

#pragma unroll 1
  for (std::int32_t first = static_cast<std::int32_t>(blockIdx.x) * cells; first < cell_count;
       first += static_cast<std::int32_t>(gridDim.x) * cells) {
    lattice::load_modes<Shape>(cloud, list, first, cell_count, modes);
    constexpr std::int32_t frame_words = cells * Shape::size / Shape::group;
    for (std::int32_t n = thread; n < frame_words; n += Shape::threads) {
      shared_memory[n] = uint4{0, 0, 0, 0};
    }
    const auto x_bin = lattice::lookup_of<Shape>(x_axis, entries);
    const auto y_bin = lattice::lookup_of<Shape>(y_axis, entries + x_axis.entry.size);
    float u_mean[cells];
    float v_mean[cells];
    std::uint32_t least[cells];
    std::uint32_t greatest[cells];
#pragma unroll
    for (int c = 0; c < cells; ++c) {
      const std::int32_t cell = list[min(first + c, cell_count - 1)];
      u_mean[c] = __ldg(cloud.level.u_mean.data + cell);
      v_mean[c] = __ldg(cloud.level.v_mean.data + cell);
      least[c] = 0x7fff7fffu;
      greatest[c] = 0x80008000u;
    }
    __syncthreads();

    // The cloud: four neighbouring realizations of each cell at a time.
    const std::int32_t realizations = cloud.level.realization_count;
    const bool weighted = !cloud.weight.empty();
    const auto* first_mode = reinterpret_cast<const lattice::ModeOfCells<cells>*>(modes);
    const float* coefficients =
        cloud.coefficient + thread * per_load / coefficient_tile * mode_count * coefficient_tile +
        thread * per_load % coefficient_tile;
#pragma unroll 1
    for (std::int32_t from = 0; from < realizations; from += a_pass) {
      const float* coefficient = coefficients;
      float u[cells][4];
      float v[cells][4];
      lattice::begin_modes(coefficient, first_mode[0], u_mean, v_mean, u, v);
      std::int32_t m = 1;
      lattice::add_modes<9>(coefficient, first_mode, mode_count, m, u, v);
      lattice::add_modes<3>(coefficient, first_mode, mode_count, m, u, v);
      lattice::add_modes<1>(coefficient, first_mode, mode_count, m, u, v);
      coefficients += static_cast<std::size_t>(mode_count) * a_pass;

      // Either all four of every thread's realizations are there and count for 1, or it must be
      // asked.
      const auto count = [&]<bool AllThere>() {
#pragma unroll
        for (int c = 0; c < cells; ++c) {
          std::uint32_t bins[4];  // y in the upper half, x in the lower, each with four bits below
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            const std::int32_t x = x_bin(to_displacement(u[c][j], cloud.scale.x));
            const std::int32_t y = y_bin(to_displacement(v[c][j], cloud.scale.y));
            bins[j] =
                __byte_perm(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0x7632);
            constexpr int log_bytes = sizeof(Counter) == 4 ? 2 : 1;
            const auto byte = static_cast<std::uint32_t>((x >> (20 - log_bytes)) +
                                                         (y >> 20) * (Shape::stride << log_bytes)) &
                              (((Shape::size - 1) << log_bytes) & ~3);
            auto* word = reinterpret_cast<std::uint32_t*>(
                reinterpret_cast<char*>(frames + c * Shape::size) + byte);
            // What counts as 1 in the bin's half of the word.
            const std::uint32_t one = sizeof(Counter) == 4 ? 1u : 1u << (bins[j] & 16u);
            if constexpr (AllThere) {
              atomicAdd(word, one);
            } else {
              const std::int32_t realization = from + thread * per_load + j;
              if (realization >= realizations) continue;
              if (weighted) {
                atomicAdd(word, one * __ldg(cloud.weight.data + realization));
              } else {
                atomicAdd(word, one);
              }
            }
          }
          // Beyond the last realization the tiles repeat it, which widens no box.
          least[c] = __vimin3_s16x2(least[c], bins[0], bins[1]);
          least[c] = __vimin3_s16x2(least[c], bins[2], bins[3]);
          greatest[c] = __vimax3_s16x2(greatest[c], bins[0], bins[1]);
          greatest[c] = __vimax3_s16x2(greatest[c], bins[2], bins[3]);
        }
      };
      if (!weighted && from + a_pass <= realizations) {
        count.template operator()<true>();
      } else {
        count.template operator()<false>();
      }
    }
    lattice::share_boxes<Shape>(least, greatest, least_bins, greatest_bins);
    __syncthreads();

    // From here on each cell has a part of the block for itself.
    const Group group{thread / Group::size};
    const std::int32_t c = group.number;
    if (first + c < cell_count) {
      const std::int32_t cell = list[first + c];
      LatticeTable<Shape> table =
          lattice::table_of_box<Shape>(least_bins[c], greatest_bins[c], x_axis, y_axis);
      table.table = frames + c * Shape::size;
      const std::int32_t x_first = table.x_min & ~(Shape::group - 1);
      const std::int32_t columns = table.x_max - x_first + 1;
      const std::int32_t rows = table.y_max - table.y_min + 1;
      if (group.rank() == 0) lists.class_of[cell] = expected_class(lists, columns, rows);
      if (columns > Shape::limits.columns || rows > Shape::limits.rows || !sink.fits(table)) {
        if (group.rank() == 0) leave(cell);
      } else {
        lattice::sum_table<Shape>(frames + c * Shape::size, x_first,
                                  (columns + Shape::group - 1) / Shape::group, table.y_min, rows,
                                  group);
        char* sink_memory =
            reinterpret_cast<char*>(shared_memory) +
            lattice_shared_bytes<Shape>(
                mode_count, static_cast<std::int32_t>(x_axis.entry.size + y_axis.entry.size)) +
            static_cast<std::size_t>(c) * sink.shared_bytes();
        sink.take(cell, table, sink_memory, group);
      }
    }
    if constexpr (!Shape::loops) break;
    __syncthreads();
  }
}

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/shape.cuh"
#include "model_builder/cloud/table.cuh"

// The `lattice` engine on the device (docs/model.md, 2.2). A block takes some cells and goes
// through all realizations of their clouds once: it computes D by tensor products and increments a
// histogram in shared memory. A bin is at (x + stride · y) modulo the histogram's size, so that it
// can be filled before the cloud's box is known. The box is determined meanwhile, and a cloud that
// exceeds the histogram is left to a larger one. Then the histogram becomes a summed table, from
// which a sink (DeviceBackup, …) reads every action's counts.
//
// bench/results/planner_gpu.md compares the versions of this kernel.

namespace tidewise {
namespace lattice {

/// Smallest and largest bins of a cloud: y in the upper half, x in the lower.
struct PackedBox {
  std::uint32_t min = 0x7fff7fffu;
  std::uint32_t max = 0x80008000u;
};

/// Data of the cell whose realizations a lane bins.
struct LaneCell {
  PackedBox box;
  std::uint32_t histogram;  ///< begin of the cell's histogram [B]
  std::int32_t start_x;     ///< initial value of its sums
  std::int32_t start_y;
  std::int32_t shift_x4;  ///< shift that leaves two bits below the bin
  std::int32_t shift_y;
};

/// Position of a cell's bin (0, 0), in bins of x; neighbours are staggered.
template <class Shape>
__device__ inline std::int32_t zero_column(const PositionRule& rule, std::int32_t cell) {
  return Shape::centre_column(rule) + Shape::stagger * (cell % Shape::staggers);
}

/// Initializes a LaneCell.
template <class Shape>
__device__ inline LaneCell lane_cell(const PositionRule& rule, const CellSpread& spread,
                                     std::int32_t cell) {
  LaneCell lane;
  lane.histogram = static_cast<std::uint32_t>(cell) * Shape::size * sizeof(std::uint32_t);
  lane.start_x = (1 << (spread.shift_x - 1)) + (zero_column<Shape>(rule, cell) << spread.shift_x);
  lane.start_y = (1 << (spread.shift_y - 1)) + (Shape::centre_row(rule) << spread.shift_y);
  lane.shift_x4 = spread.shift_x - 2;
  lane.shift_y = spread.shift_y;
  return lane;
}

/// Bins two realizations of each of four cells, a lane per cell. `there`: true for realizations
/// that exist; `weight`: their weights.
template <class Shape, bool AllThere>
__device__ inline void bin(const cloud::ByteSums& sums, LaneCell& cell, char* histograms,
                           const bool (&there)[2], const std::uint32_t (&weight)[2]) {
  std::uint32_t bins[2];
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    // x times four: the mask drops the two bits below.
    const std::int32_t x4 = sums.sum(2 * n) >> cell.shift_x4;
    const std::int32_t y = sums.sum(2 * n + 1) >> cell.shift_y;
    bins[n] = __byte_perm(static_cast<std::uint32_t>(x4), static_cast<std::uint32_t>(y), 0x5410);
    constexpr std::uint32_t mask = (Shape::size - 1) * sizeof(std::uint32_t);
    const std::uint32_t byte =
        (static_cast<std::uint32_t>(x4 + y * (Shape::stride * 4)) & mask) | cell.histogram;
    auto* const counter = reinterpret_cast<std::uint32_t*>(histograms + byte);
    if constexpr (AllThere) {
      atomicAdd(counter, 1u);
    } else {
      if (there[n]) atomicAdd(counter, weight[n]);
    }
  }
  cell.box.min = __vimin3_s16x2(cell.box.min, bins[0], bins[1]);
  cell.box.max = __vimax3_s16x2(cell.box.max, bins[0], bins[1]);
}

/// Copies the boxes gathered by a warp's lanes to shared memory: (cell, warp).
template <class Shape, int Tiles>
__device__ inline void share_boxes(const LaneCell (&cell)[Tiles],
                                   PackedBox (*boxes)[Shape::threads / 32]) {
  const auto lane = static_cast<std::int32_t>(threadIdx.x) % 32;
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
    PackedBox box = cell[tile].box;
#pragma unroll
    for (int apart = 4; apart < 32; apart *= 2) {
      box.min = __vmins2(box.min, __shfl_xor_sync(0xffffffffu, box.min, apart));
      box.max = __vmaxs2(box.max, __shfl_xor_sync(0xffffffffu, box.max, apart));
    }
    if (lane < 4 && tile * 4 + lane < Shape::cells) {
      boxes[tile * 4 + lane][threadIdx.x / 32] = box;
    }
  }
}

/// The stencils of one cell, from the boxes of all warps.
template <class Shape>
__device__ inline ActionStencils stencils_of(const PackedBox (&boxes)[Shape::threads / 32],
                                             std::int32_t cell, const CellSpread& spread,
                                             const PositionRule& rule,
                                             const DeviceActionSet& actions) {
  PackedBox box = boxes[0];
#pragma unroll
  for (int w = 1; w < Shape::threads / 32; ++w) {
    box.min = __vmins2(box.min, boxes[w].min);
    box.max = __vmaxs2(box.max, boxes[w].max);
  }
  const std::int32_t column = zero_column<Shape>(rule, cell);
  const std::int32_t row = Shape::centre_row(rule);
  const auto x = [&](std::uint32_t halves) {
    return (static_cast<std::int32_t>(static_cast<std::int16_t>(halves & 0xffffu)) >> 2) - column;
  };
  const auto y = [&](std::uint32_t halves) {
    return (static_cast<std::int32_t>(halves) >> 16) - row;
  };
  return ActionStencils(actions, rule, spread, x(box.min), x(box.max), y(box.min), y(box.max));
}

/// Fills the histograms of a block's cells. modes: (cell, axis, group).
template <class Shape>
__device__ inline void fill_histograms(const DeviceCloud& cloud, const ModeBytes* modes,
                                       const CellSpread* spread, char* histograms,
                                       PackedBox (*boxes)[Shape::threads / 32]) {
  constexpr int tiles_of_cells = (Shape::cells + 3) / 4;
  constexpr std::int32_t warps = Shape::threads / 32;
  const auto lane = static_cast<std::int32_t>(threadIdx.x) % 32;
  const std::int32_t groups = cloud.groups();
  // A lane loads x or y of one cell as its column of a product; the sums that it receives are x and
  // y of another cell.
  const auto bytes_of = [&](int tile, std::int32_t group) {
    const std::int32_t cell = min(tile * 4 + lane / 8, Shape::cells - 1);
    const ModeBytes& bytes = modes[(2 * cell + lane / 4 % 2) * groups + group];
    return cloud::ModeLanes{bytes.high[lane % 4], bytes.low[lane % 4]};
  };
  LaneCell cell[tiles_of_cells];
  cloud::ModeLanes first_group[tiles_of_cells];
#pragma unroll
  for (int tile = 0; tile < tiles_of_cells; ++tile) {
    const std::int32_t n = min(tile * 4 + lane % 4, Shape::cells - 1);
    cell[tile] = lane_cell<Shape>(cloud.rule, spread[n], n);
    first_group[tile] = bytes_of(tile, 0);
  }
  const bool has_cell = Shape::cells >= 4 || lane % 4 < Shape::cells;
  const std::int32_t realizations = cloud.level.realization_count;
  const bool weighted = !cloud.weight.empty();
  const std::int32_t tiles = cloud.tiles();

  const auto take = [&]<bool AllThere>(const CoefficientLanes& coefficient, std::int32_t n) {
    bool there[2] = {true, true};
    std::uint32_t weight[2] = {1, 1};
    if constexpr (!AllThere) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::int32_t realization = n * coefficient_tile + lane / 4 + half * 8;
        there[half] = has_cell && realization < realizations;
        if (weighted && there[half]) weight[half] = __ldg(cloud.weight.data + realization);
      }
    }
#pragma unroll
    for (int tile = 0; tile < tiles_of_cells; ++tile) {
      cloud::ByteSums sums(cell[tile].start_x, cell[tile].start_y);
      sums.add(coefficient, first_group[tile]);
      for (std::int32_t group = 1; group < groups; ++group) {
        sums.add(cloud.coefficient[(n * groups + group) * 32 + lane], bytes_of(tile, group));
      }
      bin<Shape, AllThere>(sums, cell[tile], histograms, there, weight);
    }
  };
  const std::int32_t full =
      weighted || Shape::cells < 4 ? 0 : realizations / coefficient_tile;  // complete tiles
  const auto lanes_of = [&](std::int32_t n) {
    const uint4 words =
        __ldg(reinterpret_cast<const uint4*>(cloud.coefficient + n * groups * 32 + lane));
    return CoefficientLanes{{words.x, words.y}, {words.z, words.w}};
  };
  auto n = static_cast<std::int32_t>(threadIdx.x) / 32;
  CoefficientLanes coefficient{};
  if (n < tiles) coefficient = lanes_of(n);
#pragma unroll 1
  for (; n < full; n += warps) {
    const CoefficientLanes here = coefficient;
    if (n + warps < tiles) coefficient = lanes_of(n + warps);
    take.template operator()<true>(here, n);
  }
#pragma unroll 1
  for (; n < tiles; n += warps) {
    const CoefficientLanes here = coefficient;
    if (n + warps < tiles) coefficient = lanes_of(n + warps);
    take.template operator()<false>(here, n);
  }
  share_boxes<Shape>(cell, boxes);
}

}  // namespace lattice

/// Counts the cells of one class and passes each to the sink as a LatticeTable, with the group of
/// threads that works on it. Launch: Shape::threads threads, any number of blocks.
template <class Shape, class Sink>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    count_on_lattice(const __grid_constant__ DeviceCloud cloud,
                     const __grid_constant__ DeviceActionSet actions,
                     const __grid_constant__ DeviceCellLists lists, std::int32_t frame_class,
                     const __grid_constant__ Sink sink) {
  constexpr int cells = Shape::cells;
  using Group = CellGroup<Shape::threads / cells>;
  extern __shared__ uint4 shared_memory[];
  __shared__ lattice::PackedBox boxes[cells][Shape::threads / 32];
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
  auto* histograms = reinterpret_cast<char*>(shared_memory);
  constexpr std::int32_t words = cells * Shape::size / 4;
  const std::int32_t groups = cloud.groups();
  auto* modes = reinterpret_cast<ModeBytes*>(shared_memory + words);
  auto* spread = reinterpret_cast<CellSpread*>(modes + 2 * cells * groups);

#pragma unroll 1
  for (std::int32_t first = static_cast<std::int32_t>(blockIdx.x) * cells; first < cell_count;
       first += static_cast<std::int32_t>(gridDim.x) * cells) {
    // The last block may have fewer cells: its last cell is counted repeatedly, but used once.
    cloud::load_modes(
        cloud, cells, [&](std::int32_t n) { return list[min(first + n, cell_count - 1)]; }, modes,
        spread);
    for (std::int32_t n = thread; n < words; n += Shape::threads) {
      shared_memory[n] = uint4{0, 0, 0, 0};
    }
    __syncthreads();
    lattice::fill_histograms<Shape>(cloud, modes, spread, histograms, boxes);
    __syncthreads();

    // From here on each cell has a part of the block.
    const Group group{thread / Group::size};
    const std::int32_t c = group.number;
    if (first + c < cell_count) {
      const std::int32_t cell = list[first + c];
      LatticeTable<Shape> table{
          lattice::stencils_of<Shape>(boxes[c], c, spread[c], cloud.rule, actions), nullptr};
      const FrameLimits limits = Shape::limits(cloud.rule);
      const std::int32_t column = Shape::centre_column(cloud.rule);
      const std::int32_t row = Shape::centre_row(cloud.rule);
      // Clouds may be asymmetric around their mean, so the class depends on their reach.
      if (group.rank() == 0) {
        lists.class_of[cell] = expected_class(lists, 2 * max(-table.x_min, table.x_max) + 1,
                                              2 * max(-table.y_min, table.y_max) + 1);
      }
      const bool held = column + table.x_min >= 1 && column + table.x_max <= limits.columns &&
                        row + table.y_min >= 1 && row + table.y_max <= limits.rows;
      if (!held || !sink.fits(table)) {
        if (group.rank() == 0) leave(cell);
      } else {
        auto* zero = reinterpret_cast<std::uint32_t*>(histograms) + c * Shape::size +
                     lattice::zero_column<Shape>(cloud.rule, c) + row * Shape::stride;
        table.table = zero;
        lattice::sum_table<Shape>(zero + table.x_min + table.y_min * Shape::stride,
                                  table.x_max - table.x_min + 1, table.y_max - table.y_min + 1,
                                  cloud.rule, group);
        char* sink_memory = histograms + lattice_shared_bytes<Shape>(cloud.level.mode_count) +
                            static_cast<std::size_t>(c) * sink.shared_bytes();
        sink.take(cell, table, sink_memory, group);
      }
    }
    if constexpr (!Shape::loops) break;
    __syncthreads();
  }
}

}  // namespace tidewise

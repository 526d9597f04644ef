#pragma once

#include <cstdint>

#include "base/view.h"
#include "env/level_fields.h"
#include "model_builder/device_cell_group.cuh"
#include "model_builder/displacement.h"
#include "model_builder/lattice_frame.h"

// The `lattice` engine on the device (design section 3). A block takes some cells and walks their
// clouds through all realizations once: velocity, displacement, fine bin, and one more in a
// histogram in shared memory. The histogram is a ring: bin (x, y) lies at (x + stride·y) modulo its
// size, so that it can be filled before the cloud's box is known; the box is gathered on the way,
// and a cloud too wide for the ring is left to a larger one. Then the histogram becomes a
// summed-area table, and a sink (DeviceBackup, …) reads every action's counts off it.
//
// bench/results/planner_gpu.md has the ladder of versions.

namespace tidewise {

/// What is the same for all cells of a level: its fields and how the coefficients lie.
struct DeviceCloud {
  LevelView level;
  DisplacementScale scale;
  const float* coefficient = nullptr;  ///< (tile, mode, coefficient_tile)
  View<const std::uint32_t> weight;    ///< (realization); empty: each counts for 1
};
/// Realizations in a tile of coefficients: within one, the rows of two modes lie a fixed distance
/// apart, which loads take as an immediate.
inline constexpr std::int32_t coefficient_tile = 512;

/// One axis of the lattice in device memory (lattice_axis.h). The fine bin of displacement X is
/// (X + entry[frac >> shift] + (X >> 20)·(bins_per_cell − 1)·2^20 + Σ_e (frac >= extra[e])·2^20) >>
/// 20.
struct DeviceLatticeAxis {
  View<const std::int32_t> entry;  ///< (2^20 >> shift)
  std::int32_t shift = 0;
  View<const std::int32_t> extra;      ///< thresholds that share an entry with another
  View<const std::int32_t> first_bin;  ///< (action)
  std::int32_t least_first_bin = 0;
  std::int32_t greatest_first_bin = 0;
  std::int32_t bins_per_cell = 1;
  float inverse_bins = 1;  ///< float32(1 / bins_per_cell)
};

/// How many sizes of histogram there are, and the list of cells after the last, which are counted
/// directly.
inline constexpr std::int32_t frame_classes = 3;

/// Fine bins that a histogram holds.
struct FrameLimits {
  std::int32_t columns = 0;
  std::int32_t rows = 0;
};

/// The cells of a level by the size of histogram that they are expected to need: that of the level
/// after, whose clouds are much alike. A wrong guess costs time alone.
struct DeviceCellLists {
  std::int32_t* cell[frame_classes + 1];  ///< of each class: cells, in any order
  std::int32_t* count;                    ///< (class)
  std::uint8_t* class_of;                 ///< (y, x): the guess
  const std::int32_t* fits;               ///< 0: no fine bin of the level is sure to fit 12 bits
  FrameLimits limits[frame_classes];      ///< columns = 0 where a class is not used
};

/// The first class from `frame_class` on that is used; the last list always is.
__device__ inline std::int32_t used_class(const DeviceCellLists& lists, std::int32_t frame_class) {
  while (frame_class < frame_classes && lists.limits[frame_class].columns == 0) ++frame_class;
  return frame_class;
}

/// How a thread finds the entry of a fraction.
enum class Lookup {
  shuffle,          ///< both tables have 32 entries and no extra threshold: each lane holds one
  table,            ///< in shared memory, without extra thresholds
  table_and_extras  ///< with thresholds that share an entry
};

/// The shape of the lattice kernel: what is fixed when it is compiled.
template <class CounterType, int Size, int Stride, int Cells, int Threads, int Blocks,
          Lookup HowToLookUp, bool Loops>
struct LatticeShape {
  using Counter = CounterType;       ///< of a bin; std::uint16_t only where no sum can exceed it
  static constexpr int size = Size;  ///< of a histogram, in fine bins; a power of two
  static constexpr int stride = Stride;  ///< from one row of bins to the next
  static constexpr int cells = Cells;    ///< that a block takes
  static constexpr int threads = Threads;
  /// Blocks that a multiprocessor of 64 Ki registers is to hold: what shared memory allows.
  static constexpr int blocks = Blocks;
  static constexpr Lookup lookup = HowToLookUp;
  /// Whether a block goes on to other cells: for lists that are short or empty, where blocks
  /// without work would cost more than the loop does.
  static constexpr bool loops = Loops;
  static constexpr int group = static_cast<int>(16 / sizeof(Counter));  ///< counters in 16 bytes
  /// What a histogram holds: a column on the west and a row in the south stay 0 for the table's
  /// edge, and columns come in whole groups. A stride of an odd number of groups spreads the bins
  /// of a column over all banks.
  static constexpr FrameLimits limits{Stride - group, Size / Stride - 2};
  static_assert((Size & (Size - 1)) == 0 && Stride % (2 * group) == group);

  /// Where a bin lies.
  __host__ __device__ static constexpr std::int32_t place(std::int32_t x, std::int32_t y) {
    return (x + y * Stride) & (Size - 1);
  }
};

/// Bytes of shared memory that the kernel itself needs; the sink's come on top.
template <class Shape>
__host__ __device__ constexpr std::size_t lattice_shared_bytes(std::int32_t modes,
                                                               std::int32_t entries) {
  std::size_t bytes = Shape::cells * Shape::size * sizeof(typename Shape::Counter);
  bytes += static_cast<std::size_t>(modes) * 2 * Shape::cells * sizeof(float);
  if (Shape::lookup != Lookup::shuffle)
    bytes += static_cast<std::size_t>(entries) * sizeof(std::int32_t);
  return (bytes + 15) / 16 * 16;
}

/// The summed-area table of one cell's cloud, and how an action's counts are read off it.
template <class Shape>
struct LatticeTable {
  const typename Shape::Counter*
      table;  ///< sums of all bins to the west and south, at Shape::place()
  const DeviceLatticeAxis* x_axis;
  const DeviceLatticeAxis* y_axis;
  std::int32_t x_min, x_max, y_min, y_max;  ///< fine bins of the cloud's box
  std::int32_t width, height;               ///< of every action's window [cells]

  __device__ Offset origin(std::int32_t action) const {
    return {floor_divide_by(x_min - x_axis->first_bin[action], x_axis->inverse_bins),
            floor_divide_by(y_min - y_axis->first_bin[action], y_axis->inverse_bins)};
  }
  /// South-western and north-eastern corners of all actions' windows together.
  __device__ Offset first() const {
    return {floor_divide_by(x_min - x_axis->greatest_first_bin, x_axis->inverse_bins),
            floor_divide_by(y_min - y_axis->greatest_first_bin, y_axis->inverse_bins)};
  }
  __device__ Offset last() const {
    return {floor_divide_by(x_min - x_axis->least_first_bin, x_axis->inverse_bins) + width - 1,
            floor_divide_by(y_min - y_axis->least_first_bin, y_axis->inverse_bins) + height - 1};
  }

  /// Calls landing(column, row, count) for each offset of an action's window, rows from south to
  /// north and each from west to east, and row_end() after each row.
  template <class Landing, class RowEnd>
  __device__ void visit(std::int32_t action, const Landing& landing, const RowEnd& row_end) const {
    const Offset from = origin(action);
    const std::int32_t x_bins = x_axis->bins_per_cell;
    const std::int32_t y_bins = y_axis->bins_per_cell;
    // Sums up to and with the last bin before each boundary; outside the box they are those of its
    // edge, where the table holds 0 or the total.
    const std::int32_t west = x_axis->first_bin[action] + from.dx * x_bins - 1;
    std::int32_t north = y_axis->first_bin[action] + from.dy * y_bins - 1;
    std::int32_t below = y_min - 1;
    for (std::int32_t row = 0; row < height; ++row) {
      north += y_bins;
      const std::int32_t above = min(north, y_max);
      std::int32_t east = west;
      std::int32_t before = 0;
      for (std::int32_t column = 0; column < width; ++column) {
        east += x_bins;
        const std::int32_t x = min(east, x_max);
        const auto sum = static_cast<std::int32_t>(table[Shape::place(x, above)]) -
                         static_cast<std::int32_t>(table[Shape::place(x, below)]);
        landing(column, row, static_cast<std::uint32_t>(sum - before));
        before = sum;
      }
      row_end();
      below = above;
    }
  }
};

namespace lattice {

/// u and v of one mode in each cell of a block.
template <int Cells>
struct alignas(8 * Cells) ModeOfCells {
  float2 of[Cells];
};

/// mean + the first mode, for four realizations of each cell.
template <int Cells>
__device__ inline void begin_modes(const float* coefficient, const ModeOfCells<Cells>& mode,
                                   const float (&u_mean)[Cells], const float (&v_mean)[Cells],
                                   float (&u)[Cells][4], float (&v)[Cells][4]) {
  const float4 c = __ldg(reinterpret_cast<const float4*>(coefficient));
  const float four[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
  for (int n = 0; n < Cells; ++n) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      u[n][j] = fmaf(four[j], mode.of[n].x, u_mean[n]);
      v[n][j] = fmaf(four[j], mode.of[n].y, v_mean[n]);
    }
  }
}

/// Adds fma(coefficient, mode, ·) for four realizations of each cell.
template <int Cells>
__device__ inline void add_mode(const float* coefficient, const ModeOfCells<Cells>& mode,
                                float (&u)[Cells][4], float (&v)[Cells][4]) {
  const float4 c = __ldg(reinterpret_cast<const float4*>(coefficient));
  const float four[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
  for (int n = 0; n < Cells; ++n) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      u[n][j] = fmaf(four[j], mode.of[n].x, u[n][j]);
      v[n][j] = fmaf(four[j], mode.of[n].y, v[n][j]);
    }
  }
}

/// Adds modes m, m+1, … in steps of Count as long as so many are left.
template <int Count, int Cells>
__device__ inline void add_modes(const float*& coefficient, const ModeOfCells<Cells>* modes,
                                 std::int32_t mode_count, std::int32_t& m, float (&u)[Cells][4],
                                 float (&v)[Cells][4]) {
  for (; m + Count <= mode_count; m += Count) {
#pragma unroll
    for (int n = 0; n < Count; ++n) {
      add_mode(coefficient + (n + 1) * coefficient_tile, modes[m + n], u, v);
    }
    coefficient += Count * coefficient_tile;
  }
}

/// A displacement's fine bin, with 20 bits of the place within it below.
template <Lookup How>
struct BinLookup {
  std::int32_t entry_of_lane;
  const std::int32_t* entry;  // otherwise, in shared memory
  std::int32_t shift;
  std::int32_t more;  // bins_per_cell − 1
  View<const std::int32_t> extra;

  __device__ std::int32_t operator()(std::int32_t x) const {
    constexpr std::int32_t whole_cells = ~(one_cell - 1);
    if constexpr (How == Lookup::shuffle) {
      return x + __shfl_sync(0xffffffffu, entry_of_lane, x >> 15) + (x & whole_cells) * more;
    } else {
      const std::int32_t fraction = x & (one_cell - 1);
      std::int32_t sum = x + entry[fraction >> shift] + (x & whole_cells) * more;
      if constexpr (How == Lookup::table_and_extras) {
#pragma unroll 1
        for (std::size_t e = 0; e < extra.size; ++e) sum += fraction >= extra[e] ? one_cell : 0;
      }
      return sum;
    }
  }
};

/// The least size of histogram that holds a box, and some more: the next level's is another.
__device__ inline std::uint8_t expected_class(const DeviceCellLists& lists, std::int32_t columns,
                                              std::int32_t rows) {
  std::int32_t n = 0;
  while (n < frame_classes && (columns + columns / 16 > lists.limits[n].columns ||
                               rows + rows / 16 > lists.limits[n].rows)) {
    ++n;
  }
  return static_cast<std::uint8_t>(n);
}

/// Turns 16 bytes of counts into their running sums; returns the last.
__device__ inline std::uint32_t running_sums(uint4& words, std::uint32_t) {
  words.y += words.x;
  words.z += words.y;
  words.w += words.z;
  return words.w;
}
__device__ inline void add_to_all(uint4& words, std::uint32_t sum, std::uint32_t) {
  words.x += sum;
  words.y += sum;
  words.z += sum;
  words.w += sum;
}
// Two counts to a word: no sum exceeds 16 bits, so no carry crosses over.
__device__ inline std::uint32_t running_sums(uint4& words, std::uint16_t) {
  constexpr std::uint32_t lower_into_upper = 0x00010001u;
  words.x *= lower_into_upper;
  words.y = words.y * lower_into_upper + (words.x >> 16) * lower_into_upper;
  words.z = words.z * lower_into_upper + (words.y >> 16) * lower_into_upper;
  words.w = words.w * lower_into_upper + (words.z >> 16) * lower_into_upper;
  return words.w >> 16;
}
__device__ inline void add_to_all(uint4& words, std::uint32_t sum, std::uint16_t) {
  add_to_all(words, sum * 0x00010001u, std::uint32_t{});
}

/// From histogram to summed-area table, by one cell's group of threads: first along rows, eight
/// lanes to a row, then along columns.
template <class Shape, class Group>
__device__ void sum_table(typename Shape::Counter* frame, std::int32_t x_first,
                          std::int32_t column_groups, std::int32_t y_min, std::int32_t height,
                          const Group& group) {
  using Counter = typename Shape::Counter;
  constexpr std::int32_t lanes_a_row = 8;
  const std::int32_t lane = group.rank() % lanes_a_row;
#pragma unroll 1
  for (std::int32_t base = 0; base < height; base += Group::size / lanes_a_row) {
    const std::int32_t row = base + group.rank() / lanes_a_row;
    std::uint32_t carry = 0;
#pragma unroll 1
    for (std::int32_t first = 0; first < column_groups; first += lanes_a_row) {
      const std::int32_t place = first + lane;
      const bool mine = row < height && place < column_groups;
      auto* words = reinterpret_cast<uint4*>(
          frame + Shape::place(x_first + place * Shape::group, y_min + row));
      uint4 sums = mine ? *words : uint4{0, 0, 0, 0};
      const std::uint32_t own = running_sums(sums, Counter{});
      std::uint32_t up_to = own;
#pragma unroll
      for (std::int32_t d = 1; d < lanes_a_row; d *= 2) {
        const std::uint32_t other = __shfl_up_sync(0xffffffffu, up_to, d, lanes_a_row);
        if (lane >= d) up_to += other;
      }
      add_to_all(sums, carry + up_to - own, Counter{});
      if (first + lanes_a_row < column_groups) {
        carry += __shfl_sync(0xffffffffu, up_to, lanes_a_row - 1, lanes_a_row);
      }
      if (mine) *words = sums;
    }
  }
  group.sync();
  constexpr auto a_word = static_cast<std::int32_t>(4 / sizeof(Counter));
  for (std::int32_t word = group.rank(); word < column_groups * 4; word += Group::size) {
    std::uint32_t sum = 0;
#pragma unroll 4
    for (std::int32_t row = 0; row < height; ++row) {
      auto& here = *reinterpret_cast<std::uint32_t*>(
          frame + Shape::place(x_first + word * a_word, y_min + row));
      sum += here;
      here = sum;
    }
  }
  group.sync();
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
  static_assert(a_pass % coefficient_tile == 0);
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
    // The last block may have fewer cells: its last is counted again, and taken once.
    const std::size_t stride = cloud.level.u_mean.size;
    for (std::int32_t n = thread; n < mode_count * 2 * cells; n += Shape::threads) {
      const float* field = (n & 1) == 0 ? cloud.level.u_mode.data : cloud.level.v_mode.data;
      const std::int32_t cell = list[min(first + n / 2 % cells, cell_count - 1)];
      modes[n] = __ldg(field + static_cast<std::size_t>(n / (2 * cells)) * stride + cell);
    }
    constexpr std::int32_t frame_words = cells * Shape::size / Shape::group;
    for (std::int32_t n = thread; n < frame_words; n += Shape::threads) {
      shared_memory[n] = uint4{0, 0, 0, 0};
    }
    lattice::BinLookup<Shape::lookup> x_bin{0, entries, x_axis.shift, x_axis.bins_per_cell - 1,
                                            x_axis.extra};
    lattice::BinLookup<Shape::lookup> y_bin{0, entries + x_axis.entry.size, y_axis.shift,
                                            y_axis.bins_per_cell - 1, y_axis.extra};
    if constexpr (Shape::lookup == Lookup::shuffle) {
      x_bin.entry_of_lane = x_axis.entry[static_cast<std::size_t>(thread % 32)];
      y_bin.entry_of_lane = y_axis.entry[static_cast<std::size_t>(thread % 32)];
    } else {
      const auto x_entries = static_cast<std::int32_t>(x_axis.entry.size);
      const auto y_entries = static_cast<std::int32_t>(y_axis.entry.size);
      for (std::int32_t n = thread; n < x_entries; n += Shape::threads) {
        entries[n] = x_axis.entry[static_cast<std::size_t>(n)];
      }
      for (std::int32_t n = thread; n < y_entries; n += Shape::threads) {
        entries[x_entries + n] = y_axis.entry[static_cast<std::size_t>(n)];
      }
    }
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
#pragma unroll
    for (int c = 0; c < cells; ++c) {
#pragma unroll
      for (int d = 16; d > 0; d /= 2) {
        least[c] = __vmins2(least[c], __shfl_xor_sync(0xffffffffu, least[c], d));
        greatest[c] = __vmaxs2(greatest[c], __shfl_xor_sync(0xffffffffu, greatest[c], d));
      }
      if (thread % 32 == 0) {
        least_bins[c][thread / 32] = least[c];
        greatest_bins[c][thread / 32] = greatest[c];
      }
    }
    __syncthreads();

    // From here on each cell has a part of the block for itself.
    const Group group{thread / Group::size};
    const std::int32_t c = group.number;
    if (first + c < cell_count) {
      const std::int32_t cell = list[first + c];
      std::uint32_t low = least_bins[c][0];
      std::uint32_t high = greatest_bins[c][0];
#pragma unroll
      for (int w = 1; w < Shape::threads / 32; ++w) {
        low = __vmins2(low, least_bins[c][w]);
        high = __vmaxs2(high, greatest_bins[c][w]);
      }
      const auto lower = [](std::uint32_t halves) {
        return static_cast<std::int32_t>(static_cast<std::int16_t>(halves & 0xffffu)) >> 4;
      };
      const auto upper = [](std::uint32_t halves) {
        return static_cast<std::int32_t>(halves) >> 20;
      };
      LatticeTable<Shape> table;
      table.x_min = lower(low);
      table.x_max = lower(high);
      table.y_min = upper(low);
      table.y_max = upper(high);
      const std::int32_t x_first = table.x_min & ~(Shape::group - 1);
      const std::int32_t columns = table.x_max - x_first + 1;
      const std::int32_t rows = table.y_max - table.y_min + 1;
      table.width =
          (table.x_max - table.x_min + x_axis.bins_per_cell - 1) / x_axis.bins_per_cell + 1;
      table.height = (rows + y_axis.bins_per_cell - 2) / y_axis.bins_per_cell + 1;
      table.table = frames + c * Shape::size;
      table.x_axis = &x_axis;
      table.y_axis = &y_axis;
      if (group.rank() == 0) lists.class_of[cell] = lattice::expected_class(lists, columns, rows);
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

#pragma once

#include <cstdint>

#include "base/memory/view.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// One axis of the lattice in device memory (model_builder/lattice/axis.h). The fine bin of
/// displacement X is (X + entry[frac >> shift] + (X >> 20)·(bins_per_cell − 1)·2^20 + Σ_e (frac >=
/// extra[e])·2^20) >> 20.
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

namespace lattice {

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

}  // namespace lattice
}  // namespace tidewise

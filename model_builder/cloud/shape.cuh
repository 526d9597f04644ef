#pragma once

#include <cstddef>
#include <cstdint>

#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"

namespace tidewise {

/// The shape of the lattice kernel: what is fixed when it is compiled.
template <int Size, int Stride, int Cells, int Threads, int Blocks, bool Loops>
struct LatticeShape {
  static constexpr int size = Size;      ///< counters of a histogram; a power of two
  static constexpr int stride = Stride;  ///< from one row of bins to the next; odd, for the banks
  static constexpr int cells = Cells;    ///< that a block takes
  static constexpr int threads = Threads;
  /// Blocks that a multiprocessor of 64 Ki registers is to hold: what shared memory allows.
  static constexpr int blocks = Blocks;
  /// Whether a block goes on to other cells: for lists that are short or empty, where blocks
  /// without work would cost more than the loop does.
  static constexpr bool loops = Loops;
  static_assert((Size & (Size - 1)) == 0 && Stride % 2 == 1);
  static_assert(Cells <= 4 || Cells % 4 == 0);

  /// Histograms of neighbouring cells, which are much alike, begin in other banks.
  static constexpr int stagger = 8;
  static constexpr int staggers = Cells < 4 ? Cells : 4;

  /// Bins that a histogram holds, beside those that its table grows by.
  __host__ __device__ static constexpr FrameLimits limits(const PositionRule& rule) {
    const int columns = Stride - 2 - table_growth(rule);
    const int rows = (Size - stagger * staggers) / Stride - 2 - table_growth(rule);
    return columns > 0 && rows > 0 ? FrameLimits{columns, rows} : FrameLimits{};
  }
  /// Where bin (0, 0) lies.
  __host__ __device__ static constexpr std::int32_t centre_column(const PositionRule& rule) {
    return 1 + limits(rule).columns / 2;
  }
  __host__ __device__ static constexpr std::int32_t centre_row(const PositionRule& rule) {
    return 1 + limits(rule).rows / 2;
  }
  /// Bins that a table reaches beyond its cloud, in the east and the north, so that every read of
  /// an action's counts falls into it: up to two cells and the next bin.
  __host__ __device__ static constexpr int table_growth(const PositionRule& rule) {
    return rule.landing == LandingBy::area ? (2 << rule.bin_bits) + 1 : 0;
  }
};

/// Bytes of shared memory that the kernel itself needs; the sink's come on top.
template <class Shape>
__host__ __device__ constexpr std::size_t lattice_shared_bytes(std::int32_t modes) {
  return Shape::cells * Shape::size * sizeof(std::uint32_t) +
         (cloud::shared_bytes(Shape::cells, modes) + 15) / 16 * 16;
}

}  // namespace tidewise

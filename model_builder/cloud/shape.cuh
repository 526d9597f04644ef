#pragma once

#include <cstddef>
#include <cstdint>

#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/cloud/cloud.cuh"

namespace tidewise {

/// Compile-time parameters of the lattice kernel.
template <int Size, int Stride, int Cells, int Threads, int Blocks, bool Loops>
struct LatticeShape {
  static constexpr int size = Size;      ///< counters of a histogram; a power of two
  static constexpr int stride = Stride;  ///< distance of rows of bins; odd, to avoid bank conflicts
  static constexpr int cells = Cells;    ///< cells per block
  static constexpr int threads = Threads;
  /// Blocks per multiprocessor with 64 Ki registers, limited by shared memory.
  static constexpr int blocks = Blocks;
  /// True if a block continues with further cells: for lists that are short or empty, for which
  /// blocks without work would cost more than the loop.
  static constexpr bool loops = Loops;
  static_assert((Size & (Size - 1)) == 0 && Stride % 2 == 1);
  static_assert(Cells <= 4 || Cells % 4 == 0);

  /// Histograms of neighbouring cells, which are similar, begin in different banks.
  static constexpr int stagger = 8;
  static constexpr int staggers = Cells < 4 ? Cells : 4;

  /// Bins that a histogram holds, without the growth of its table.
  __host__ __device__ static constexpr FrameLimits limits(const PositionRule& rule) {
    const int columns = Stride - 2 - table_growth(rule);
    const int rows = (Size - stagger * staggers) / Stride - 2 - table_growth(rule);
    return columns > 0 && rows > 0 ? FrameLimits{columns, rows} : FrameLimits{};
  }
  /// Position of bin (0, 0).
  __host__ __device__ static constexpr std::int32_t centre_column(const PositionRule& rule) {
    return 1 + limits(rule).columns / 2;
  }
  __host__ __device__ static constexpr std::int32_t centre_row(const PositionRule& rule) {
    return 1 + limits(rule).rows / 2;
  }
  /// Bins by which a table exceeds its cloud to the east and north, so that every read of an
  /// action's counts is inside: up to two cells and the next bin.
  __host__ __device__ static constexpr int table_growth(const PositionRule& rule) {
    return rule.landing == LandingBy::area ? (2 << rule.bin_bits) + 1 : 0;
  }
};

/// Shared memory of the kernel [B], without that of the sink.
template <class Shape>
__host__ __device__ constexpr std::size_t lattice_shared_bytes(std::int32_t modes) {
  return Shape::cells * Shape::size * sizeof(std::uint32_t) +
         (cloud::shared_bytes(Shape::cells, modes) + 15) / 16 * 16;
}

}  // namespace tidewise

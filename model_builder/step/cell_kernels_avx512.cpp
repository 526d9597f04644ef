#include <immintrin.h>

#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_kernels_variants.h"

// Hand-written for AVX-512 (F, BW, DQ, VL); bench/results/model_builder.md has the ladder of what
// each idea gained. Compiled for x86-64-v4 alone: nothing here may be called before cell_kernels()
// has asked the processor.

namespace tidewise {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::int32_t fraction_mask = (1 << 20) - 1;
/// Up to this many shared entries, compares beat a gather from the larger table.
constexpr std::int32_t most_extra_compares = 5;

/// Velocities of `Blocks` vectors of realizations of `Cells` cells at once: coefficients are loaded
/// once for all cells, and there are enough chains to fill the multiply-add units.
template <int Cells, int Blocks>
[[gnu::always_inline]] inline void velocities(const CloudArguments* cloud, std::size_t first,
                                              __m512 (&u)[Cells][Blocks],
                                              __m512 (&v)[Cells][Blocks]) {
#pragma GCC unroll 8
  for (int c = 0; c < Cells; ++c) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) {
      u[c][b] = _mm512_set1_ps(cloud[c].u_mean);
      v[c][b] = _mm512_set1_ps(cloud[c].v_mean);
    }
  }
  const float* row = cloud[0].coefficient + first;
  for (std::int32_t m = 0; m < cloud[0].mode_count; ++m, row += cloud[0].row_length) {
    __m512 coefficient[Blocks];
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) coefficient[b] = _mm512_load_ps(row + b * lanes);
#pragma GCC unroll 8
    for (int c = 0; c < Cells; ++c) {
      const __m512 u_mode = _mm512_set1_ps(cloud[c].u_mode[m]);
      const __m512 v_mode = _mm512_set1_ps(cloud[c].v_mode[m]);
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) {
        u[c][b] = _mm512_fmadd_ps(coefficient[b], u_mode, u[c][b]);
        v[c][b] = _mm512_fmadd_ps(coefficient[b], v_mode, v[c][b]);
      }
    }
  }
}

void displacements(const CloudArguments& cloud, std::int32_t* x, std::int32_t* y) {
  constexpr int blocks = 4;
  const __m512 scale_x = _mm512_set1_ps(cloud.scale_x);
  const __m512 scale_y = _mm512_set1_ps(cloud.scale_y);
  for (std::size_t first = 0; first < cloud.row_length; first += blocks * lanes) {
    __m512 u[1][blocks];
    __m512 v[1][blocks];
    velocities<1, blocks>(&cloud, first, u, v);
    for (int b = 0; b < blocks; ++b) {
      _mm512_storeu_si512(x + first + b * lanes,
                          _mm512_cvtps_epi32(_mm512_mul_ps(u[0][b], scale_x)));
      _mm512_storeu_si512(y + first + b * lanes,
                          _mm512_cvtps_epi32(_mm512_mul_ps(v[0][b], scale_y)));
    }
  }
}

/// Finds entries of the 32-entry table by a permute of two registers.
class PermutedTable {
 public:
  explicit PermutedTable(const AxisTables& axis)
      : table_(axis.small),
        low_(_mm512_loadu_si512(axis.small.entry)),
        high_(_mm512_loadu_si512(axis.small.entry + lanes)) {}
  // The permute looks at the low five bits alone, so the whole cells above them do no harm.
  [[gnu::always_inline]] __m512i entry(__m512i displacement) const {
    return _mm512_permutex2var_epi32(low_, _mm512_srli_epi32(displacement, 15), high_);
  }
  const BinTable& table() const { return table_; }

 private:
  const BinTable& table_;
  __m512i low_;
  __m512i high_;
};

/// Finds entries of the 1024-entry table by a gather.
class GatheredTable {
 public:
  explicit GatheredTable(const AxisTables& axis) : table_(axis.large) {}
  [[gnu::always_inline]] __m512i entry(__m512i displacement) const {
    const __m512i place =
        _mm512_and_si512(_mm512_srli_epi32(displacement, 10), _mm512_set1_epi32(1023));
    return _mm512_i32gather_epi32(place, table_.entry, 4);
  }
  const BinTable& table() const { return table_; }

 private:
  const BinTable& table_;
};

template <class Table>
[[gnu::always_inline]] inline __m512i bins(const Table& table, __m512i bins_per_cell,
                                           __m512i displacement) {
  const __m512i fraction = _mm512_and_si512(displacement, _mm512_set1_epi32(fraction_mask));
  const __m512i within =
      _mm512_srli_epi32(_mm512_add_epi32(fraction, table.entry(displacement)), 20);
  const __m512i whole = _mm512_srai_epi32(displacement, 20);
  // A multiply of 16-bit halves: `whole` is small, and its upper half meets a 0.
  __m512i bin = _mm512_add_epi32(_mm512_madd_epi16(whole, bins_per_cell), within);
  for (std::int32_t e = 0; e < table.table().extra_count; ++e) {
    const __mmask16 over =
        _mm512_cmpge_epi32_mask(fraction, _mm512_set1_epi32(table.table().extra[e]));
    bin = _mm512_mask_add_epi32(bin, over, bin, _mm512_set1_epi32(1));
  }
  return bin;
}

/// Least and greatest of 32 16-bit lanes that alternate x and y.
[[gnu::always_inline]] inline BinBox reduce(__m512i least, __m512i greatest) {
  alignas(64) std::int16_t low[2 * lanes];
  alignas(64) std::int16_t high[2 * lanes];
  _mm512_store_si512(low, least);
  _mm512_store_si512(high, greatest);
  BinBox box{low[0], high[0], low[1], high[1]};
  for (std::size_t n = 2; n < 2 * lanes; n += 2) {
    box.x_min = low[n] < box.x_min ? low[n] : box.x_min;
    box.x_max = high[n] > box.x_max ? high[n] : box.x_max;
    box.y_min = low[n + 1] < box.y_min ? low[n + 1] : box.y_min;
    box.y_max = high[n + 1] > box.y_max ? high[n + 1] : box.y_max;
  }
  return box;
}

template <class Table, int Cells, int Blocks>
inline void fine_bins_of(const CloudArguments* cloud, const AxisTables& x_axis,
                         const AxisTables& y_axis, std::int32_t* const* packed, BinBox* box) {
  const Table x_table(x_axis);
  const Table y_table(y_axis);
  const __m512i x_bins = _mm512_set1_epi32(x_axis.bins_per_cell);
  const __m512i y_bins = _mm512_set1_epi32(y_axis.bins_per_cell);
  const __m512 scale_x = _mm512_set1_ps(cloud[0].scale_x);
  const __m512 scale_y = _mm512_set1_ps(cloud[0].scale_y);
  __m512i least[Cells];
  __m512i greatest[Cells];
  for (int c = 0; c < Cells; ++c) {
    least[c] = _mm512_set1_epi16(INT16_MAX);
    greatest[c] = _mm512_set1_epi16(INT16_MIN);
  }
  for (std::size_t first = 0; first < cloud[0].row_length; first += Blocks * lanes) {
    __m512 u[Cells][Blocks];
    __m512 v[Cells][Blocks];
    velocities<Cells, Blocks>(cloud, first, u, v);
#pragma GCC unroll 8
    for (int c = 0; c < Cells; ++c) {
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) {
        const __m512i bin_x =
            bins(x_table, x_bins, _mm512_cvtps_epi32(_mm512_mul_ps(u[c][b], scale_x)));
        const __m512i bin_y =
            bins(y_table, y_bins, _mm512_cvtps_epi32(_mm512_mul_ps(v[c][b], scale_y)));
        const __m512i word =
            _mm512_mask_blend_epi16(0xAAAAAAAAu, bin_x, _mm512_slli_epi32(bin_y, 16));
        least[c] = _mm512_min_epi16(least[c], word);
        greatest[c] = _mm512_max_epi16(greatest[c], word);
        _mm512_storeu_si512(packed[c] + first + static_cast<std::size_t>(b) * lanes, word);
      }
    }
  }
  for (int c = 0; c < Cells; ++c) box[c] = reduce(least[c], greatest[c]);
}

bool few_extras(const AxisTables& x, const AxisTables& y) {
  return x.small.extra_count <= most_extra_compares && y.small.extra_count <= most_extra_compares;
}

BinBox fine_bins(const CloudArguments& cloud, const AxisTables& x, const AxisTables& y,
                 std::int32_t* packed) {
  BinBox box;
  if (few_extras(x, y)) {
    fine_bins_of<PermutedTable, 1, 4>(&cloud, x, y, &packed, &box);
  } else {
    fine_bins_of<GatheredTable, 1, 4>(&cloud, x, y, &packed, &box);
  }
  return box;
}

void fine_bins_of_two(const CloudArguments* cloud, const AxisTables& x, const AxisTables& y,
                      std::int32_t* const* packed, BinBox* box) {
  if (few_extras(x, y)) {
    fine_bins_of<PermutedTable, 2, 4>(cloud, x, y, packed, box);
  } else {
    fine_bins_of<GatheredTable, 2, 4>(cloud, x, y, packed, box);
  }
}

void histogram(const std::int32_t* packed, std::size_t count, const BinBox& box,
               std::int32_t stride, std::uint32_t* even, std::uint32_t* odd) {
  // fy · stride + fx · 1 in one multiply-add of 16-bit halves
  const __m512i factors = _mm512_set1_epi32((stride << 16) | 1);
  const __m512i base = _mm512_set1_epi32(box.y_min * stride + box.x_min);
  alignas(64) std::uint32_t place[lanes];
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    const __m512i word = _mm512_loadu_si512(packed + n);
    _mm512_store_si512(place, _mm512_sub_epi32(_mm512_madd_epi16(word, factors), base));
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; i += 2) {
      ++even[place[i]];
      ++odd[place[i + 1]];
    }
  }
  for (; n < count; ++n) {
    const std::int32_t word = packed[n];
    ++even[(word >> 16) * stride + static_cast<std::int16_t>(word & 0xffff) -
           (box.y_min * stride + box.x_min)];
  }
}

}  // namespace

const CellKernels avx512_cell_kernels{"avx512", displacements, fine_bins, fine_bins_of_two,
                                      histogram};

}  // namespace tidewise

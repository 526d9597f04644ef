#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The inner loops over the realizations of a cell, for the widest vectors of the processor.

namespace tidewise {

/// Rows of coefficients are padded to a multiple of this number of realizations.
inline constexpr std::size_t kernel_block = 64;

/// Input of the spread of one cell: D = (Σ c̃ · m̃ + 2^(s−1)) >> s along each axis (spread.h). c̃
/// and m̃ are stored in pairs, modes 2·pair in the lower and 2·pair + 1 in the upper half of a
/// word.
struct SpreadArguments {
  const std::int32_t* coefficient;  ///< c̃, (pair, row_length)
  std::size_t row_length;           ///< a multiple of kernel_block
  std::int32_t pair_count;
  const std::int32_t* x_mode;  ///< m̃, (pair)
  const std::int32_t* y_mode;
  std::int32_t x_shift;
  std::int32_t y_shift;
};

/// Smallest and largest bins of a cloud.
struct BinBox {
  std::int32_t x_min;
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
};

/// D of one cell's cloud. x, y: (row_length)
void spread_bins(const SpreadArguments& cell, std::int32_t* x, std::int32_t* y);

/// The greatest |D| that packed_bins() can hold.
inline constexpr std::int32_t greatest_packed_bin = INT16_MAX;

/// D of one cell's cloud with y in the upper and x in the lower half of a word, and the cloud's
/// box. packed: (row_length)
BinBox packed_bins(const SpreadArguments& cell, std::int32_t* packed);
/// As packed_bins(), for two cells of a level, which share each loaded coefficient.
void packed_bins_of_two(const SpreadArguments* cell, std::int32_t* const* packed, BinBox* box);

/// Histograms that are added up, so that consecutive increments of one bin do not wait for each
/// other. Two may be the same.
using PartialHistograms = std::array<std::uint32_t*, 4>;

/// Adds 1 for each of the first `count` packed bins to entry (y − y_min)·stride + x − x_min of one
/// of the histograms, which take turns. Requires stride <= 32767.
void count_packed_bins(const std::int32_t* packed, std::size_t count, const BinBox& box,
                       std::int32_t stride, const PartialHistograms& histograms);

/// Highway's name of the target that is used.
const char* cell_kernels_target();

}  // namespace tidewise

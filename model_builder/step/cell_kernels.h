#pragma once

#include <cstddef>
#include <cstdint>

// Plain data only: the files compiled for wider vectors include this header and nothing else of the
// house, so that no inline function of theirs can end up in a program for a lesser processor.

namespace tidewise {

/// Rows of coefficients come in multiples of this many realizations.
inline constexpr std::size_t kernel_block = 64;

/// The cloud of one cell: X = round((mean + Σ_m coefficient_m · mode_m) · scale), y alike.
struct CloudArguments {
  const float* coefficient;  ///< (mode, row_length), 64-byte aligned
  std::size_t row_length;    ///< a multiple of kernel_block
  std::int32_t mode_count;
  float u_mean;
  float v_mean;
  const float* u_mode;  ///< (mode)
  const float* v_mode;  ///< (mode)
  float scale_x;
  float scale_y;
};

/// How the lattice engine finds the fine bin of a displacement along one axis
/// (model_builder/lattice/axis.h): bin = (X >> 20) · bins_per_cell + ((frac + entry[frac >> shift])
/// >> 20) + Σ_e (frac >= extra[e]).
struct BinTable {
  const std::int32_t* entry;  ///< (2^20 >> shift)
  std::int32_t shift;
  const std::int32_t* extra;  ///< thresholds that share an entry with another
  std::int32_t extra_count;
};
struct AxisTables {
  std::int32_t bins_per_cell;
  BinTable small;  ///< 32 entries: fits two vector registers
  BinTable large;  ///< 1024 entries: for a gather
};

/// Least and greatest fine bins of a cloud.
struct BinBox {
  std::int32_t x_min;
  std::int32_t x_max;
  std::int32_t y_min;
  std::int32_t y_max;
};

/// The inner loops over realizations, compiled for one kind of processor.
struct CellKernels {
  const char* name;
  /// Displacements of one cell's cloud. x, y: (row_length)
  void (*displacements)(const CloudArguments& cloud, std::int32_t* x, std::int32_t* y);
  /// Fine bins of one cell's cloud, y in the upper and x in the lower half of a word, and their
  /// box. Requires bins within int16. packed: (row_length)
  BinBox (*fine_bins)(const CloudArguments& cloud, const AxisTables& x, const AxisTables& y,
                      std::int32_t* packed);
  /// The same for two cells that share their coefficients.
  void (*fine_bins_of_two)(const CloudArguments* cloud, const AxisTables& x, const AxisTables& y,
                           std::int32_t* const* packed, BinBox* box);
  /// Adds 1 for each of the first `count` packed bins to histogram[(y − y_min)·stride + x − x_min],
  /// in turn in two histograms, so that neighbouring increments do not wait on each other.
  /// Requires stride <= 32767.
  void (*histogram)(const std::int32_t* packed, std::size_t count, const BinBox& box,
                    std::int32_t stride, std::uint32_t* even, std::uint32_t* odd);
};

/// The kernels for the widest vectors that this processor has.
const CellKernels& cell_kernels();

/// All kernels that this processor can run, the portable ones first. For tests and benchmarks.
std::size_t available_cell_kernels(const CellKernels* (&kernels)[4]);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/lattice/axis.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// From the fine bins of one cell's cloud to the counts of every action: a histogram over the
/// cloud's box, its summed-area table, four reads a count. Scratch memory of one thread.
class LatticeCounts {
 public:
  LatticeCounts(const LatticeAxis& x, const LatticeAxis& y, const CellKernels& kernels);

  /// Whether a box of bins is small enough for the table; wider clouds go the `direct` way.
  static bool fits(const BinBox& box);

  /// packed: fine bins as CellKernels::fine_bins gives them, (realization). Requires fits(box). The
  /// result is valid until the next call.
  CellTransitions count(View<const std::int32_t> packed, const BinBox& box,
                        View<const std::uint32_t> weights);

 private:
  void fill_table(View<const std::int32_t> packed, const BinBox& box,
                  View<const std::uint32_t> weights);
  void sum_table();
  void read_action(std::size_t action, const BinBox& box);

  const LatticeAxis& x_;
  const LatticeAxis& y_;
  const CellKernels& kernels_;
  std::size_t actions_;
  std::int32_t columns_ = 0;  // bins of the box
  std::int32_t rows_ = 0;
  std::size_t stride_ = 0;  // columns_ + 1
  std::vector<std::uint32_t>
      table_;  // (rows_ + 1, stride_): sums of all bins below and to the left
  std::vector<std::uint32_t> other_;  // the second histogram
  std::int32_t width_ = 0;            // of the windows [cells]
  std::int32_t height_ = 0;
  std::vector<std::uint32_t> west_;  // (window column boundary): place in a row of the table
  std::vector<std::uint32_t> line_;  // (window column boundary): sums up to it, of one row
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

}  // namespace tidewise

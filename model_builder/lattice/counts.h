#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_transitions.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// Computes the counts of every action from the bins of one cell's cloud (docs/model.md, 2.2). One
/// histogram over the cloud's box serves all actions, since they shift the cloud as a whole:
///   cell   the histogram's sums over all bins to the south-west; a count is a difference of
///          four of them
///   area   its sums weighted by hat functions two cells wide along each axis: an entry is the
///          total weight of a cell centred at a bin. Hats are linear between bins, so that counts
///          of an action at a fraction of a bin are interpolated exactly from four sums
/// There are no thresholds, and the table does not depend on the actions. All integers are modulo
/// 2^32; counts are smaller. Scratch memory of one thread.
class LatticeCounts {
 public:
  LatticeCounts(const std::vector<Action>& actions, const PositionRule& rule);

  /// True if a box of bins is small enough for a table.
  bool fits(const BinBox& box) const;
  /// True if the table costs less than counting each of `realizations` separately.
  bool pays(const BinBox& box, std::size_t realizations) const;

  /// packed: D of the cloud from packed_bins(), (realization); `mean`: M. Requires fits(box). The
  /// result is valid until the next call.
  CellTransitions count(View<const std::int32_t> packed, const BinBox& box, Displacement mean,
                        View<const std::uint32_t> weights);

 private:
  /// Range of one action's landings along one axis.
  struct Reach {
    std::int32_t first;  ///< cell
    std::int32_t cells;
    /// Distance in 1/256 of a cell: from the cloud's smallest position to the first cell's eastern
    /// (northern) edge (`cell`), or from one cell before that position to its centre (`area`).
    std::int32_t place;
  };

  std::int32_t table_growth() const;
  Reach reach(std::int32_t min, std::int32_t max, std::int32_t certain) const;
  void place_actions(const BinBox& box, Displacement mean);
  void fill_histogram(View<const std::int32_t> packed, const BinBox& box,
                      View<const std::uint32_t> weights);
  /// Columns of the table beyond those of the box, for `area`.
  std::size_t hat_columns() const { return (std::size_t{2} << rule_.bin_bits) + 1; }
  void sum_bins();
  void sum_hats();
  void read_cells(std::size_t action);
  void read_areas(std::size_t action);

  const std::vector<Action>& actions_;
  PositionRule rule_;
  std::int32_t columns_ = 0;  // bins of the box
  std::int32_t rows_ = 0;
  // (part, row, column): the histogram, first in parts, then their sum as part 0. For `area` it has
  // as many empty columns before the first row and after each row as hats extend beyond the box.
  std::vector<std::uint32_t> histogram_;
  std::vector<std::uint32_t> hats_;      // (row, column of the table): sums of hats along x
  std::size_t stride_ = 0;               // columns of the table
  std::vector<std::uint32_t> table_;     // (row, column): sums
  std::vector<std::uint32_t> zero_row_;  // (column of the table): zeros
  std::vector<std::uint32_t> slope_;
  std::vector<Reach> x_;  // (action)
  std::vector<Reach> y_;
  std::int32_t width_ = 0;  // width of the windows [cells]
  std::int32_t height_ = 0;
  std::vector<std::uint32_t> line_;  // (window column): cumulative sums of one row
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

}  // namespace tidewise

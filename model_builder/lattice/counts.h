#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_transitions.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// From the bins of one cell's cloud to the counts of every action (docs/model.md, 2.2). One
/// histogram over the cloud's box serves all actions, since they shift the cloud as a whole:
///   by cell   its sums over all bins to the south-west; a count is a difference of four of them
///   by area   its sums with hats that are two cells wide along each axis: what a cell whose centre
///             is at a bin is given of all positions. Hats are linear from bin to bin, so an
///             action's fraction of a bin reads its counts by exact interpolation between four
/// No thresholds, and the table does not depend on the actions. All integers are modulo 2^32, which
/// the counts themselves stay below. Scratch memory of one thread.
class LatticeCounts {
 public:
  LatticeCounts(const std::vector<Action>& actions, const PositionRule& rule);

  /// Whether a box of bins is small enough for a table.
  bool fits(const BinBox& box) const;
  /// Whether the table costs less than to count so many realizations one by one.
  bool pays(const BinBox& box, std::size_t realizations) const;

  /// packed: D of the cloud as packed_bins() gives it, (realization); `mean`: M. Requires
  /// fits(box). The result is valid until the next call.
  CellTransitions count(View<const std::int32_t> packed, const BinBox& box, Displacement mean,
                        View<const std::uint32_t> weights);

 private:
  /// Where one action's landings lie along one axis.
  struct Reach {
    std::int32_t first;  ///< cell
    std::int32_t cells;
    /// How far east of the cloud's least position lies the first cell's edge (by cell), or its
    /// centre, of a position one cell west of that (by area), in 1/256 of a cell.
    std::int32_t place;
  };

  std::int32_t table_growth() const;
  Reach reach(std::int32_t least, std::int32_t greatest, std::int32_t certain) const;
  void place_actions(const BinBox& box, Displacement mean);
  void fill_histogram(View<const std::int32_t> packed, const BinBox& box,
                      View<const std::uint32_t> weights);
  /// Columns of the table by area beyond those of the box.
  std::size_t hat_columns() const { return (std::size_t{2} << rule_.bin_bits) + 1; }
  void sum_once();
  void sum_hats();
  void read_cells(std::size_t action);
  void read_areas(std::size_t action);

  const std::vector<Action>& actions_;
  PositionRule rule_;
  std::int32_t columns_ = 0;  // bins of the box
  std::int32_t rows_ = 0;
  // (row, column): the histogram, in two parts. By area as many columns of none lie before the
  // first row and behind each one as hats reach beyond the box.
  std::vector<std::uint32_t> even_;
  std::vector<std::uint32_t> odd_;
  std::vector<std::uint32_t> hats_;   // (row, column of the table): hats along x alone
  std::size_t stride_ = 0;            // columns of the table
  std::vector<std::uint32_t> table_;  // (row, column): sums
  std::vector<std::uint32_t> none_;   // (column of the table): noughts
  std::vector<std::uint32_t> slope_;
  std::vector<Reach> x_;  // (action)
  std::vector<Reach> y_;
  std::int32_t width_ = 0;  // of the windows [cells]
  std::int32_t height_ = 0;
  std::vector<std::uint32_t> line_;  // (window column): sums up to it, of one row
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

}  // namespace tidewise

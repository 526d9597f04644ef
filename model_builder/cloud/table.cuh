#pragma once

#include <cstdint>

#include "base/memory/view.h"
#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/cloud/shape.cuh"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// A set of actions on a device, for the counting kernels.
struct DeviceActionSet {
  View<const Displacement> displacement;  ///< (action)
  Displacement min;                       ///< minimum of all actions, along each axis
  Displacement max;
};

/// The stencils of the actions of one cell; base class of all tables of counts.
struct ActionStencils {
  const DeviceActionSet* actions;
  PositionRule rule;
  CellSpread cell;
  std::int32_t x_min, x_max, y_min, y_max;  ///< bins of the cloud's box
  std::int32_t width, height;               ///< size of a window for every action's stencil [cells]

  __device__ ActionStencils(const DeviceActionSet& the_actions, const PositionRule& the_rule,
                            const CellSpread& the_cell, std::int32_t west, std::int32_t east,
                            std::int32_t south, std::int32_t north)
      : actions(&the_actions),
        rule(the_rule),
        cell(the_cell),
        x_min(west),
        x_max(east),
        y_min(south),
        y_max(north),
        width(max_cells(east - west)),
        height(max_cells(north - south)) {}

  __device__ std::int32_t certain_x(const Displacement& action) const {
    return certain_position(cell.mean_x, action.x);
  }
  __device__ std::int32_t certain_y(const Displacement& action) const {
    return certain_position(cell.mean_y, action.y);
  }
  /// The south-western cell of an action's stencil.
  __device__ Offset origin(const Displacement& action) const {
    return {rule.first_cell(position_of(x_min, certain_x(action), rule)),
            rule.first_cell(position_of(y_min, certain_y(action), rule))};
  }
  __device__ Offset origin(std::int32_t action) const {
    return origin(actions->displacement[static_cast<std::size_t>(action)]);
  }
  /// South-western and north-eastern corners of the union of all actions' stencils.
  __device__ Offset first() const { return origin(actions->min); }
  __device__ Offset last() const {
    const Offset north_east = origin(actions->max);
    return {north_east.dx + width - 1, north_east.dy + height - 1};
  }

 private:
  __device__ std::int32_t max_cells(std::int32_t bins) const {
    return ((bins * rule.bin() + positions_per_cell - 1) >> position_bits) + rule.cells_touched();
  }
};

/// The summed table of one cell's cloud, from which an action's counts are read (docs/model.md,
/// 2.2).
template <class Shape>
struct LatticeTable : ActionStencils {
  /// Nearest cell: counts of all bins to the west and south, including (x, y). Bilinear weights:
  /// these sums summed again.
  const std::uint32_t* table;

  /// Calls landing(column, row, count) for each offset of an action's stencil, rows from south to
  /// north and each from west to east, and row_end() after each row.
  template <class Landing, class RowEnd>
  __device__ void visit(std::int32_t action, const Landing& landing, const RowEnd& row_end) const {
    if (rule.landing == LandingBy::area) {
      visit_by_area(actions->displacement[static_cast<std::size_t>(action)], landing, row_end);
    } else {
      visit_by_cell(actions->displacement[static_cast<std::size_t>(action)], landing, row_end);
    }
  }

 private:
  /// An action along one axis: number of cells, and the position at which ramps (linear between
  /// bins) are read for the line between the first and the second cell.
  struct Line {
    std::int32_t cells;
    std::int32_t bin;
    std::uint32_t fraction;  ///< to the next bin, in 1/256 of a cell
  };
  __device__ Line line(std::int32_t smallest, std::int32_t largest, std::int32_t certain) const {
    const std::int32_t first = position_of(smallest, certain, rule) >> position_bits;
    const std::int32_t last = position_of(largest, certain, rule) >> position_bits;
    const std::int32_t at = ((first + 1) << position_bits) - certain;
    return {last - first + 2, at >> rule.bin_shift(),
            static_cast<std::uint32_t>(at & (rule.bin() - 1))};
  }

  /// The ramps' sum T at a crossing of lines, interpolated from the four bins around it.
  struct Reading {
    std::uint32_t weight[4];
    __device__ std::uint32_t operator()(const std::uint32_t* at) const {
      return at[0] * weight[0] + at[1] * weight[1] + at[Shape::stride] * weight[2] +
             at[Shape::stride + 1] * weight[3];
    }
  };

  /// A cell's bilinear weights are the second differences of T over three lines, along each axis. T
  /// is 0 on the first line and west (south) of it.
  template <class Landing, class RowEnd>
  __device__ void visit_by_area(const Displacement& action, const Landing& landing,
                                const RowEnd& row_end) const {
    const Line x = line(x_min, x_max, certain_x(action));
    const Line y = line(y_min, y_max, certain_y(action));
    const auto bin = static_cast<std::uint32_t>(rule.bin());
    const Reading reading{{(bin - x.fraction) * (bin - y.fraction), x.fraction * (bin - y.fraction),
                           (bin - x.fraction) * y.fraction, x.fraction * y.fraction}};
    // T at a bin is the sum up to and including the previous bin.
    const std::uint32_t* at = table + x.bin - 1 + (y.bin - 1) * Shape::stride;
    const std::int32_t column_step = 1 << rule.bin_bits;
    const std::int32_t row_step = column_step * Shape::stride;
    constexpr int max = 8;  // columns whose last two lines are kept in registers
    if (x.cells <= max) {
      std::uint32_t below[max] = {};
      std::uint32_t under[max] = {};
      for (std::int32_t row = 0; row < y.cells; ++row, at += row_step) {
        std::uint32_t before = 0;
        std::uint32_t first = 0;
#pragma unroll
        for (int column = 0; column < max; ++column) {
          if (column >= x.cells) break;
          const std::uint32_t sum = reading(at + column * column_step);
          const std::uint32_t of_line = sum - 2 * below[column] + under[column];
          under[column] = below[column];
          below[column] = sum;
          landing(column, row, of_line - 2 * before + first);
          first = before;
          before = of_line;
        }
        row_end();
      }
      return;
    }
    for (std::int32_t row = 0; row < y.cells; ++row, at += row_step) {
      std::uint32_t before = 0;
      std::uint32_t first = 0;
      for (std::int32_t column = 0; column < x.cells; ++column) {
        const std::uint32_t* place = at + column * column_step;
        std::uint32_t of_line = reading(place);
        if (row > 0) of_line -= 2 * reading(place - row_step);
        if (row > 1) of_line += reading(place - 2 * row_step);
        landing(column, row, of_line - 2 * before + first);
        first = before;
        before = of_line;
      }
      row_end();
    }
  }

  /// Counts are first differences of the sums up to the last bin before each edge between cells.
  template <class Landing, class RowEnd>
  __device__ void visit_by_cell(const Displacement& action, const Landing& landing,
                                const RowEnd& row_end) const {
    const Offset from = origin(action);
    const auto last_before = [&](std::int32_t edge_of, std::int32_t certain, std::int32_t last) {
      const std::int32_t edge = (edge_of << position_bits) - positions_per_cell / 2 - certain;
      return min(((edge + rule.bin() - 1) >> rule.bin_shift()) - 1, last);
    };
    const std::int32_t x = certain_x(action);
    const std::int32_t y = certain_y(action);
    std::int32_t below = y_min - 1;
    for (std::int32_t row = 0; row < height; ++row) {
      const std::int32_t above = last_before(from.dy + row + 1, y, y_max);
      std::uint32_t before = 0;
      for (std::int32_t column = 0; column < width; ++column) {
        const std::int32_t east = last_before(from.dx + column + 1, x, x_max);
        const std::uint32_t sum =
            table[east + above * Shape::stride] - table[east + below * Shape::stride];
        landing(column, row, sum - before);
        before = sum;
      }
      row_end();
      below = above;
    }
  }
};

namespace lattice {

/// Turns a histogram into a table, with one cell's group of threads: a thread per row, then a
/// thread per column. `first`: the south-western bin of the box. For bilinear weights both
/// directions are summed twice, and beyond the box.
template <class Shape, class Group>
__device__ void sum_table(std::uint32_t* first, std::int32_t columns, std::int32_t rows,
                          const PositionRule& rule, const Group& group) {
  const bool twice = rule.landing == LandingBy::area;
  const std::int32_t growth = Shape::table_growth(rule);
  const auto sum_along = [&](std::uint32_t* at, std::int32_t count, std::int32_t step) {
    std::uint32_t sum = 0;
    std::uint32_t sum_of_sums = 0;
#pragma unroll 4
    for (std::int32_t n = 0; n < count; ++n, at += step) {
      sum += *at;
      sum_of_sums += sum;
      *at = twice ? sum_of_sums : sum;
    }
  };
  for (std::int32_t row = group.rank(); row < rows; row += Group::size) {
    sum_along(first + row * Shape::stride, columns + growth, 1);
  }
  group.sync();
  for (std::int32_t column = group.rank(); column < columns + growth; column += Group::size) {
    sum_along(first + column, rows + growth, Shape::stride);
  }
  group.sync();
}

}  // namespace lattice
}  // namespace tidewise

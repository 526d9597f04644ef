#pragma once

#include <cstdint>

#include "model_builder/step/level_bounds.h"
#include "solver/evaluate/propagation_step.h"
#include "solver/step/landing_stencil.h"

namespace tidewise {

/// The first half of a step by windows: each cell reckons what its landings come to, window rows
/// from south to north and each from west to east, and strikes those that end from its counts.
/// Trivially copyable.
struct EndProbability {
  PropagationStep step;
  View<const Probability> probability;  ///< (y, x), at k
  View<const LandingStencil> window;    ///< (y, x), of cells that hold mass
  View<StepTotals> totals;              ///< (y, x)
  std::size_t first_cell = 0;

  /// For cell first_cell + n.
  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t cell = first_cell + n;
    totals[cell] = of_cell(CellIndex(static_cast<std::int32_t>(cell)));
  }

 private:
  TIDEWISE_HOST_DEVICE StepTotals of_cell(CellIndex from) const {
    StepTotals sum;
    const auto cell = static_cast<std::size_t>(from.value);
    const Probability here = probability[cell];
    if (!(here.probability > 0)) return sum;
    if (step.context.policy[cell] == no_action) {
      sum.add(step.strand(here));
      return sum;
    }
    const LandingStencil landings = window[cell];
    for (std::int32_t row = 0; row < landings.height; ++row) {
      for (std::int32_t column = 0; column < landings.width; ++column) {
        std::uint32_t& count = landings.at(column, row);
        if (count == 0) continue;
        const Offset to{landings.origin.dx + column, landings.origin.dy + row};
        const LandedProbability landed = step.land(from, here, to, count);
        sum.add(landed);
        if (landed.end.outcome != StepOutcome::under_way) count = 0;
      }
    }
    return sum;
  }
};

/// The second half: each cell gathers what is carried to it from the cells of a batch in ascending
/// order, so that batches in ascending order give the sum over all in one order.
/// Trivially copyable.
struct GatherProbability {
  PropagationStep step;
  View<const Probability> probability;  ///< (y, x), at k
  View<const LandingStencil> window;    ///< (y, x), after EndProbability
  View<Probability> probability_next;   ///< (y, x), at k+1
  SubGrid reach;                        ///< holds every landing
  std::int32_t first_cell = 0;          ///< of the batch …
  std::int32_t end_cell = 0;            ///< … and one past its last

  TIDEWISE_HOST_DEVICE void operator()(std::size_t to) const {
    const Grid& grid = step.context.rule.grid;
    const auto there = CellIndex(static_cast<std::int32_t>(to));
    const std::int32_t column = grid.column(there);
    const std::int32_t row = grid.row(there);
    const auto larger = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
    const auto smaller = [](std::int32_t a, std::int32_t b) { return b < a ? b : a; };
    const std::int32_t south = larger(row - reach.dy_max, first_cell / grid.nx);
    const std::int32_t north = smaller(row - reach.dy_min, (end_cell - 1) / grid.nx);
    const std::int32_t west = larger(column - reach.dx_max, 0);
    const std::int32_t east = smaller(column - reach.dx_min, grid.nx - 1);
    Probability sum;  // the first batch starts from 0
    if (first_cell > 0) sum = probability_next[to];
    for (std::int32_t j = south; j <= north; ++j) {
      for (std::int32_t i = west; i <= east; ++i) {
        const CellIndex from = grid.cell(i, j);
        if (from.value < first_cell || from.value >= end_cell) continue;
        add(from, {column - i, row - j}, sum);
      }
    }
    probability_next[to] = sum;
  }

 private:
  TIDEWISE_HOST_DEVICE void add(CellIndex from, Offset to, Probability& sum) const {
    const auto cell = static_cast<std::size_t>(from.value);
    if (!(probability[cell].probability > 0)) return;
    const std::uint32_t count = window[cell].count_at(to);
    if (count == 0) return;
    sum += step.carry(from, probability[cell], to, count, {}).probability;
  }
};

}  // namespace tidewise

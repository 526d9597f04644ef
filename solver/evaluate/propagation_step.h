#pragma once

#include <cstdint>

#include "solver/evaluate/probability.h"
#include "solver/flight/step_context.h"

namespace tidewise {

/// Moves a cell's probability mass in one step, by the counts of its policy's action: `count` of
/// `total` realizations land at `to`. Trivially copyable.
struct PropagationStep {
  StepContext context;
  double total = 1;  ///< row_total()

  /// The share count / total of the mass `mass` that lands at `to`. `paths`: facts of the paths
  /// from the cell.
  TIDEWISE_HOST_DEVICE LandedProbability land(CellIndex from, const Probability& mass, Offset to,
                                              std::uint32_t count, PathsFromCell paths) const {
    const std::int32_t column = context.rule.grid.column(from);
    const std::int32_t row = context.rule.grid.row(from);
    return carry(from, mass, to, count,
                 context.rule.end_of_flight(column, row, to, context.rule(column, row, to, paths)));
  }

  /// Facts of the paths from a cell to all offsets between `first` and `last`.
  TIDEWISE_HOST_DEVICE PathsFromCell paths_from(CellIndex from, Offset first, Offset last) const {
    const Grid& grid = context.rule.grid;
    return context.rule.paths_from(grid.column(from), grid.row(from), first, last);
  }

  /// land() for a landing whose end is known.
  TIDEWISE_HOST_DEVICE LandedProbability carry(CellIndex from, const Probability& mass, Offset to,
                                               std::uint32_t count, const StepEnd& end) const {
    const Grid& grid = context.rule.grid;
    const auto cell = static_cast<std::size_t>(from.value);
    const std::int32_t column = grid.column(from);
    const std::int32_t row = grid.row(from);
    const bool has_scalar = !context.now.scalar.empty();
    const StepResult result = context.result(
        context.effect[static_cast<std::size_t>(context.policy[cell])], end, column + to.dx,
        row + to.dy, has_scalar ? context.now.scalar[cell] : 0.0F,
        has_scalar
            ? context.next.scalar[static_cast<std::size_t>(field_cell(grid, column, row, to))]
            : 0.0F);
    const double share = count / total;
    const double probability = mass.probability * share;
    return {end,
            {probability, mass.spent * share + probability * result.spent,
             mass.harvested * share + probability * result.harvested},
            probability * result.reward};
  }

  /// End of probability mass in a cell without an action.
  TIDEWISE_HOST_DEVICE LandedProbability strand(std::size_t cell, const Probability& mass) const {
    return {{context.stranded_in(cell), 1}, mass, mass.probability * context.failure.obstacle};
  }
};

}  // namespace tidewise

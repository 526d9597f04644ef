#pragma once

#include <cstddef>
#include <cstdint>

#include "model_builder/step/displacement.h"
#include "model_builder/step/level_bounds.h"
#include "solver/evaluate/propagation_step.h"

namespace tidewise {

/// Landings of the policy's action from one cell: a window of offsets and the number of
/// realizations (or their weight) for each offset. Trivially copyable; borrows the counts.
struct LandingStencil {
  Offset origin;                   ///< the south-western corner
  std::int32_t width = 0;          ///< columns; 0 if the cell has no action
  std::int32_t height = 0;         ///< rows
  std::int32_t stride = 0;         ///< between rows of `count`
  std::uint32_t* count = nullptr;  ///< (row from the south, column from the west)

  /// Count of a column and row of the window.
  TIDEWISE_HOST_DEVICE std::uint32_t& at(std::int32_t column, std::int32_t row) const {
    return count[static_cast<std::size_t>(row) * static_cast<std::size_t>(stride) +
                 static_cast<std::size_t>(column)];
  }
  /// The count at an offset; 0 outside the window.
  TIDEWISE_HOST_DEVICE std::uint32_t count_at(Offset to) const {
    const std::int32_t column = to.dx - origin.dx;
    const std::int32_t row = to.dy - origin.dy;
    if (column < 0 || column >= width || row < 0 || row >= height) return 0;
    return at(column, row);
  }
};

/// The offsets of a LandingStencil, small so that searching many of them reads little memory.
struct LandingBox {
  std::int16_t west = 0;
  std::int16_t south = 0;
  std::int16_t width = 0;  ///< 0: no landings
  std::int16_t height = 0;

  /// The box of a stencil.
  TIDEWISE_HOST_DEVICE static LandingBox of(const LandingStencil& stencil) {
    return {static_cast<std::int16_t>(stencil.origin.dx),
            static_cast<std::int16_t>(stencil.origin.dy), static_cast<std::int16_t>(stencil.width),
            static_cast<std::int16_t>(stencil.height)};
  }
  TIDEWISE_HOST_DEVICE bool contains(Offset to) const {
    return static_cast<std::uint32_t>(to.dx - west) < static_cast<std::uint32_t>(width) &&
           static_cast<std::uint32_t>(to.dy - south) < static_cast<std::uint32_t>(height);
  }
};

/// One of the missions that take a step together, and its data for each cell. Trivially copyable.
struct MemberStep {
  PropagationStep step;
  View<const Probability> probability;  ///< (y, x), at k
  View<Probability> probability_next;   ///< (y, x), at k+1
  View<LandingStencil> window;          ///< (y, x), of cells with mass
  View<LandingBox> box;                 ///< (y, x), of all cells, set by EndProbability
  View<StepTotals> totals;              ///< (y, x)
};

/// A cell of a member. Cells of several members are numbered member after member.
struct MemberCell {
  std::uint32_t member = 0;
  std::uint32_t cell = 0;

  /// `cells`: cells of a member. The cells of all members must number less than 2^32.
  TIDEWISE_HOST_DEVICE static MemberCell of(std::size_t number, std::size_t cells) {
    const auto n = static_cast<std::uint32_t>(number);
    const auto count = static_cast<std::uint32_t>(cells);
    return {n / count, n % count};
  }
};

/// First half of a step by windows. Each cell sets its box and computes its landings, window rows
/// from south to north and each from west to east, and removes those that end from its counts.
/// Trivially copyable.
struct EndProbability {
  View<const MemberStep> members;
  std::size_t first = 0;  ///< number of the batch's first cell

  /// Handles cell first + n.
  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const auto [m, cell] = MemberCell::of(first + n, members[0].probability.size);
    const MemberStep& member = members[m];
    member.box[cell] = {};
    member.totals[cell] = cell_totals(member, CellIndex(static_cast<std::int32_t>(cell)));
  }

 private:
  TIDEWISE_HOST_DEVICE static StepTotals cell_totals(const MemberStep& member, CellIndex from) {
    StepTotals sum;
    const auto cell = static_cast<std::size_t>(from.value);
    const Probability mass = member.probability[cell];
    if (!(mass.probability > 0)) return sum;
    const PropagationStep& step = member.step;
    if (step.context.policy[cell] == no_action) {
      sum.add(step.strand(cell, mass));
      return sum;
    }
    const LandingStencil landings = member.window[cell];
    member.box[cell] = LandingBox::of(landings);
    const PathsFromCell paths = step.paths_from(
        from, landings.origin,
        {landings.origin.dx + landings.width - 1, landings.origin.dy + landings.height - 1});
    for (std::int32_t row = 0; row < landings.height; ++row) {
      for (std::int32_t column = 0; column < landings.width; ++column) {
        std::uint32_t& count = landings.at(column, row);
        if (count == 0) continue;
        const Offset to{landings.origin.dx + column, landings.origin.dy + row};
        const LandedProbability landed = step.land(from, mass, to, count, paths);
        sum.add(landed);
        if (landed.end.outcome != StepOutcome::under_way) count = 0;
      }
    }
    return sum;
  }
};

/// Second half of a step: each cell gathers the mass that lands in it from the cells of a batch, in
/// ascending order, so that batches in ascending order give the sum over all cells in one order.
/// Trivially copyable.
struct GatherProbability {
  View<const MemberStep> members;  ///< after EndProbability
  SubGrid reach;                   ///< contains every landing
  std::size_t first = 0;           ///< number of the batch's first cell
  std::size_t end = 0;             ///< number after the batch's last cell

  /// The first member of the batch.
  TIDEWISE_HOST_DEVICE std::size_t first_member() const {
    return first / members[0].probability.size;
  }
  /// Number of calls for all cells of the batch's members.
  static std::size_t calls(std::size_t first, std::size_t end, std::size_t cells) {
    return ((end - 1) / cells - first / cells + 1) * cells;
  }

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t cells = members[0].probability.size;
    const auto [m, to] = MemberCell::of(first_member() * cells + n, cells);
    const MemberStep& member = members[m];
    const std::size_t first_of_member = m * cells;
    const auto first_cell =
        static_cast<std::int32_t>(first > first_of_member ? first - first_of_member : 0);
    const auto end_cell =
        static_cast<std::int32_t>(end < first_of_member + cells ? end - first_of_member : cells);
    gather(member, static_cast<std::int32_t>(to), first_cell, end_cell);
  }

 private:
  TIDEWISE_HOST_DEVICE void gather(const MemberStep& member, std::int32_t to,
                                   std::int32_t first_cell, std::int32_t end_cell) const {
    const Grid& grid = member.step.context.rule.grid;
    const auto to_cell = CellIndex(to);
    const std::int32_t column = grid.column(to_cell);
    const std::int32_t row = grid.row(to_cell);
    const auto larger = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
    const auto smaller = [](std::int32_t a, std::int32_t b) { return b < a ? b : a; };
    const std::int32_t south = larger(row - reach.dy_max, first_cell / grid.nx);
    const std::int32_t north = smaller(row - reach.dy_min, (end_cell - 1) / grid.nx);
    const std::int32_t west = larger(column - reach.dx_max, 0);
    const std::int32_t east = smaller(column - reach.dx_min, grid.nx - 1);
    Probability& next = member.probability_next[static_cast<std::size_t>(to)];
    Probability sum;  // the first batch starts from 0
    if (first_cell > 0) sum = next;
    for (std::int32_t j = south; j <= north; ++j) {
      for (std::int32_t i = west; i <= east; ++i) {
        const CellIndex from = grid.cell(i, j);
        if (from.value < first_cell || from.value >= end_cell) continue;
        add(member, from, {column - i, row - j}, sum);
      }
    }
    next = sum;
  }

  TIDEWISE_HOST_DEVICE static void add(const MemberStep& member, CellIndex from, Offset to,
                                       Probability& sum) {
    const auto cell = static_cast<std::size_t>(from.value);
    if (!member.box[cell].contains(to)) return;
    const std::uint32_t count = member.window[cell].count_at(to);
    if (count == 0) return;
    sum += member.step.carry(from, member.probability[cell], to, count, {}).probability;
  }
};

}  // namespace tidewise

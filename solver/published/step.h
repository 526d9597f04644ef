#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/atomic_add.h"
#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/level_bounds.h"
#include "solver/backup/best_action.h"
#include "solver/step/boundary.h"
#include "solver/step/immediate_value.h"

// Work of one thread of each kernel of the published method, in single precision: Chowdhury and
// Subramani, GPU path planning by MDPs, Algorithms 1 and 2. Host and device run the same operations
// in the same order, so all numbers are equal. Readings of ambiguous lines (docs/model.md, 2.4):
// the `else` of Algorithm 2 does not apply, because a state without an action has no row; S2_count
// is incremented only if there is a successor to continue from.

namespace tidewise {

/// Velocity and reward of an action.
struct PublishedAction {
  float u = 0;  ///< through the water [m s-1 or 1]
  float v = 0;
  float reward = 0;  ///< the part of r(s, a, s') that depends only on the action
  std::int32_t profile = 0;
};

/// One level's step by one action: v(x; ω) = mean + Σ_m coefficient_m · mode_m at a cell's centre
/// and x' = x + (v + a)Δt. Trivially copyable.
struct PublishedStep {
  LevelView level;      ///< velocity of the action's profile, and coefficients
  OutcomeRule outcome;  ///< value_next is not read
  PublishedAction action;
  float duration = 0;  ///< Δt
  float dx = 0;
  float dy = 0;

  /// Offset from (column, row) to the cell that contains x' in one realization.
  TIDEWISE_HOST_DEVICE Offset landing(std::int32_t column, std::int32_t row,
                                      std::size_t realization) const {
    const auto cell = static_cast<std::size_t>(level.grid.cell(column, row).value);
    const float u = flow(level.u_mean, level.u_mode, cell, realization);
    const float v = flow(level.v_mean, level.v_mode, cell, realization);
    return {cells_moved(u + action.u, dx, column), cells_moved(v + action.v, dy, row)};
  }

 private:
  TIDEWISE_HOST_DEVICE float flow(View<const float> mean, View<const float> mode, std::size_t cell,
                                  std::size_t realization) const {
    return velocity(mean[cell], mode.data + cell, mean.size, level.coefficient.data + realization,
                    static_cast<std::size_t>(level.realization_count), level.mode_count);
  }
  // Along one axis; positions count from the grid's western or southern edge.
  TIDEWISE_HOST_DEVICE std::int32_t cells_moved(float speed, float spacing,
                                                std::int32_t from) const {
    const float centre = (static_cast<float>(from) + 0.5F) * spacing;
    const float position = std::fma(speed, duration, centre);
    return static_cast<std::int32_t>(std::floor(position / spacing)) - from;
  }
};

/// K_TRANSITION: one cell's step in one realization. Adds the step's reward to sum_R, and counts
/// the landing in S2_count if the vehicle is still under way. A place is a cell's number in the
/// batch.
struct PublishedTransition {
  PublishedStep step;
  View<const std::uint32_t> weights;  ///< (realization); empty if each counts 1
  SubGrid subgrid;                    ///< contains every landing
  /// A power of two. sum_R adds reward · reward_scale as integers, so its order does not matter.
  float reward_scale = 1;
  std::int32_t first_cell = 0;          ///< first cell of the batch
  std::uint32_t* s2_count = nullptr;    ///< (place, sub-grid)
  unsigned long long* sum_r = nullptr;  ///< (place), two's complement

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place, std::size_t realization) const {
    const CellIndex cell(first_cell + static_cast<std::int32_t>(place));
    const LandingRule& rule = step.outcome.landing;
    if (!rule.is_non_terminal(static_cast<std::size_t>(cell.value))) return;
    const std::int32_t column = rule.grid.column(cell);
    const std::int32_t row = rule.grid.row(cell);
    const Offset to = step.landing(column, row, realization);
    const StepEnd end = rule(column, row, to);
    const std::uint32_t weight = weights.empty() ? 1 : weights[realization];
    const float reward = immediate_value(step.outcome, end, column, row, to, step.action.reward);
    const auto scaled = static_cast<long long>(reward * reward_scale);
    add_atomically(sum_r + place,
                   static_cast<unsigned long long>(scaled * static_cast<long long>(weight)));
    if (end.outcome != StepOutcome::under_way) return;
    const std::size_t s2 = place * static_cast<std::size_t>(subgrid.size()) +
                           static_cast<std::size_t>(subgrid.index(to));
    add_atomically(s2_count + s2, weight);
  }
};

/// K_COMPUTE_MEAN: R of a batch's cells.
struct PublishedMean {
  const unsigned long long* sum_r = nullptr;  ///< (place)
  float* reward = nullptr;                    ///< (place), written
  double factor = 1;  ///< 1 / (reward_scale · total weight of the realizations)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t place) const {
    reward[place] =
        static_cast<float>(static_cast<double>(static_cast<long long>(sum_r[place])) * factor);
  }
};

/// The entry of P that K_REDUCE_TO_COO stores.
struct PublishedCoo {
  Grid grid;
  SubGrid subgrid;
  std::int32_t first_cell = 0;     ///< first cell of the batch
  std::int32_t first_row = 0;      ///< first row of P, that of place 0
  float inverse_total = 1;         ///< 1 / total weight of the realizations
  std::int32_t* row = nullptr;     ///< (entry); null: not stored
  std::int32_t* column = nullptr;  ///< (entry): cell at the next level
  float* probability = nullptr;    ///< (entry)

  TIDEWISE_HOST_DEVICE void operator()(std::int32_t entry, std::size_t place, std::int32_t s2,
                                       std::uint32_t count) const {
    const Offset to = subgrid.offset(s2);
    const auto n = static_cast<std::int32_t>(place);
    if (row != nullptr) row[entry] = first_row + n;
    column[entry] = first_cell + n + to.dy * grid.nx + to.dx;
    probability[entry] = static_cast<float>(count) * inverse_total;
  }
};

/// Sparse value iteration of one row: R + Σ P · v(k+1, ·), entries in their order.
struct PublishedExpectation {
  View<const std::int32_t> row_start;  ///< (row + 1), counted from the level's first entry
  const std::int32_t* column = nullptr;
  const float* probability = nullptr;
  View<const float> reward;      ///< (row)
  View<const float> value_next;  ///< (y, x)
  View<float> expected;          ///< (row), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t row) const {
    float sum = reward[row];
    for (std::int32_t n = row_start[row]; n < row_start[row + 1]; ++n) {
      sum = std::fma(probability[n], value_next[static_cast<std::size_t>(column[n])], sum);
    }
    expected[row] = sum;
  }
};

/// v and π of one cell: the best action, the first on a tie.
struct PublishedChoice {
  LandingRule landing;
  FailurePenalties failure;
  std::int32_t action_count = 0;
  View<const float> expected;  ///< (action, y, x)
  View<float> value;           ///< (y, x), written
  View<std::int16_t> action;   ///< (y, x), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t cell) const {
    BestAction best;
    if (landing.is_non_terminal(cell)) {
      for (std::int32_t a = 0; a < action_count; ++a) {
        best.consider(expected[static_cast<std::size_t>(a) * value.size + cell], a);
      }
    } else {
      best.value =
          cell_boundary_value(landing.grid, landing.disc, failure, landing.masked_now[cell] != 0,
                              landing.target[cell] != 0, static_cast<std::int32_t>(cell));
    }
    value[cell] = best.value;
    action[cell] = static_cast<std::int16_t>(best.action);
  }
};

static_assert(std::is_trivially_copyable_v<PublishedTransition>);

}  // namespace tidewise

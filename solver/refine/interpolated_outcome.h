#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "model_builder/step/displacement.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_value.h"

namespace tidewise {

/// Marks cells whose values must not be interpolated, because they differ in kind from their
/// neighbours: closed at k+1, in the target, or certain to fail (value at most that of the smallest
/// failure penalty).
struct FindNonInterpolable {
  View<const std::uint8_t> masked_next;  ///< (y, x)
  View<const std::uint8_t> target;       ///< (y, x)
  View<const float> value_next;          ///< (y, x)
  FailurePenalties failure;
  View<std::uint8_t> non_interpolable;  ///< (y, x), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t cell) const {
    const float best = std::fmax(std::fmax(failure.obstacle, failure.outside), failure.late);
    const float margin = 1e-5F * std::fabs(best);
    non_interpolable[cell] =
        masked_next[cell] != 0 || target[cell] != 0 || value_next[cell] <= best + margin ? 1 : 0;
  }
};

/// Value of a landing at any point: OutcomeRule (solver/step/outcome.h) with v(k+1, ·) and g(k+1,
/// ·) bilinear between the four cell centres around the landing point. If a centre is not
/// interpolable or lies outside the grid, or if the step ends the flight, the landing cell's own
/// value counts as in the model, so that failures and arrivals are not smeared over neighbouring
/// cells. Trivially copyable.
struct InterpolatedOutcome {
  LandingRule landing;
  FailurePenalties failure;
  double arrival_reward = 0;
  double harvest = 0;                         ///< harvest_factor(): reward of one unit of g + g'
  View<const float> value_next;               ///< v(k+1, ·), (y, x)
  View<const std::uint8_t> non_interpolable;  ///< FindNonInterpolable, (y, x)
  View<const float> scalar_now;               ///< g at k; empty if `harvest` is 0
  View<const float> scalar_next;              ///< g at k+1

  /// Value of a vehicle at the centre of (column, row) that moves by (x, y) [cells], with an action
  /// of reward `action_part`.
  TIDEWISE_HOST_DEVICE double step_return(std::int32_t column, std::int32_t row, double x, double y,
                                          double action_part) const {
    constexpr double too_far = greatest_displacement;  // NaN fails the comparison, too
    if (!(std::fabs(x) < too_far && std::fabs(y) < too_far)) return failure.outside;
    const Grid& grid = landing.grid;
    const Offset to{static_cast<std::int32_t>(std::floor(x + 0.5)),
                    static_cast<std::int32_t>(std::floor(y + 0.5))};
    const StepEnd end = end_of(column, row, x, y, to);
    if (end.outcome == StepOutcome::under_way &&
        is_interpolable(column + static_cast<std::int32_t>(std::floor(x)),
                        row + static_cast<std::int32_t>(std::floor(y)))) {
      return smooth_value(column, row, x, y, action_part);
    }
    const auto from_cell = static_cast<std::size_t>(grid.cell(column, row).value);
    const auto to_cell = static_cast<std::size_t>(field_cell(grid, column, row, to));
    return landing_value<double>(
        end, failure, arrival_reward,
        [&] { return reward(action_part, from_cell, scalar_at(to_cell)); },
        [&] { return static_cast<double>(value_next[to_cell]); });
  }

  /// step_return() if all cells that it may read are interpolable, open and in the grid.
  TIDEWISE_HOST_DEVICE double smooth_value(std::int32_t column, std::int32_t row, double x,
                                           double y, double action_part) const {
    const double west = std::floor(x);
    const double south = std::floor(y);
    const auto corner = static_cast<std::size_t>(
        landing.grid
            .cell(column + static_cast<std::int32_t>(west), row + static_cast<std::int32_t>(south))
            .value);
    const double value = interpolated(value_next, corner, x - west, y - south);
    if (harvest == 0) return action_part + value;
    const auto from_cell = static_cast<std::size_t>(landing.grid.cell(column, row).value);
    return reward(action_part, from_cell, interpolated(scalar_next, corner, x - west, y - south)) +
           value;
  }

  /// True if landings up to (x, y) [cells] away, in any direction, read only cells that are open at
  /// k and interpolable at k+1.
  TIDEWISE_HOST_DEVICE bool is_smooth(std::int32_t column, std::int32_t row, double x,
                                      double y) const {
    constexpr double too_far = greatest_displacement;
    if (landing.last_step == LastStep::yes || !(x < too_far && y < too_far)) return false;
    const std::int32_t columns = static_cast<std::int32_t>(x) + 2;
    const std::int32_t rows = static_cast<std::int32_t>(y) + 2;
    const Grid& grid = landing.grid;
    if (!grid.contains(column - columns, row - rows) ||
        !grid.contains(column + columns, row + rows)) {
      return false;
    }
    if (!landing.off_target(column, row, {-columns, -rows}, {columns, rows})) return false;
    for (std::int32_t j = row - rows; j <= row + rows; ++j) {
      for (std::int32_t i = column - columns; i <= column + columns; ++i) {
        const auto cell = static_cast<std::size_t>(grid.cell(i, j).value);
        if (landing.masked_now[cell] != 0 || non_interpolable[cell] != 0) return false;
      }
    }
    return true;
  }

 private:
  // End by the landing rule, except that the path to the exact landing point may enter the disc.
  TIDEWISE_HOST_DEVICE StepEnd end_of(std::int32_t column, std::int32_t row, double x, double y,
                                      Offset to) const {
    return landing.classify(
        column, row, to, false, landing.last_step,
        [&] {
          return landing.off_target(column, row, to, to)
                     ? never_entered
                     : landing.disc.entered_at(landing.grid, column, row, x, y);
        },
        [&](std::int32_t i, std::int32_t j) { return landing.in_target(i, j); });
  }
  // True if values are interpolated between this south-western cell and its three neighbours.
  TIDEWISE_HOST_DEVICE bool is_interpolable(std::int32_t west, std::int32_t south) const {
    const Grid& grid = landing.grid;
    if (!grid.contains(west, south) || !grid.contains(west + 1, south + 1)) return false;
    const auto corner = static_cast<std::size_t>(grid.cell(west, south).value);
    const auto nx = static_cast<std::size_t>(grid.nx);
    return non_interpolable[corner] == 0 && non_interpolable[corner + 1] == 0 &&
           non_interpolable[corner + nx] == 0 && non_interpolable[corner + nx + 1] == 0;
  }
  TIDEWISE_HOST_DEVICE double scalar_at(std::size_t cell) const {
    return harvest == 0 ? 0.0 : static_cast<double>(scalar_next[cell]);
  }
  TIDEWISE_HOST_DEVICE double reward(double action_part, std::size_t from_cell,
                                     double to_cell) const {
    if (harvest == 0) return action_part;
    return std::fma(harvest, static_cast<double>(scalar_now[from_cell]) + to_cell, action_part);
  }
  TIDEWISE_HOST_DEVICE double interpolated(View<const float> field, std::size_t corner, double east,
                                           double north) const {
    const auto nx = static_cast<std::size_t>(landing.grid.nx);
    const double south_west = field[corner];
    const double north_west = field[corner + nx];
    const double south = std::fma(east, field[corner + 1] - south_west, south_west);
    const double upper = std::fma(east, field[corner + nx + 1] - north_west, north_west);
    return std::fma(north, upper - south, south);
  }
};

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstdint>

#include "base/golden_section.h"
#include "base/same_bits.h"
#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "solver/flight/step_context.h"
#include "solver/refine/interpolated_outcome.h"
#include "solver/refine/refined_policy.h"
#include "solver/step/mission.h"
#include "solver/step/reward.h"

namespace tidewise {

/// An action of the discrete set, the energy of its dive, and the neighbouring speeds of its
/// profile.
struct ActionBracket {
  double heading = 0;  ///< [rad]
  double speed = 0;    ///< [m s-1 or 1]
  double slower = 0;   ///< the next lower speed; the action's speed if there is none
  double faster = 0;
  EnergyModel energy;
};

/// Refines the policy's action of a state at level k by golden-section search, in turn over the
/// heading within one spacing of the discrete headings and over the speed between its neighbours.
/// Maximizes the mean of InterpolatedOutcome over the realizations; each moves the vehicle from the
/// cell's centre to x + (v + a)Δt, with v for the profile of the policy's action. Trivially
/// copyable. `Lanes` (host_lanes.h): one thread or one warp for each state, with the same bits.
struct RefineState {
  LevelView now;                    ///< level k
  View<const std::int16_t> policy;  ///< policy at level k, (y, x)
  InterpolatedOutcome outcome;
  View<const std::int32_t> realization;  ///< (selected)
  View<const double> weight;             ///< (selected); empty: equal weights
  double total_weight = 1;
  View<const ActionEffect> effect;    ///< (action)
  View<const ActionBracket> bracket;  ///< (action)
  View<const double> headings;        ///< the discrete headings [rad]
  double heading_spacing = 0;         ///< between two neighbours [rad]
  Objective objective = Objective::time;
  double step = 0;     ///< Δt [s or 1]
  double cells_x = 0;  ///< Δt/dx: cells crossed in a step per unit of velocity
  double cells_y = 0;
  std::int32_t steps = 0;
  std::int32_t rounds = 0;

  /// Size of `flow` for one state.
  TIDEWISE_HOST_DEVICE std::size_t flow_size() const { return 2 * realization.size; }

  /// Refines the action of a cell. `flow`: memory for flow_size() numbers. Requires that the cell
  /// has an action.
  template <class Lanes>
  TIDEWISE_HOST_DEVICE RefinedAction operator()(const Lanes& lanes, std::int32_t cell,
                                                float* flow) const {
    const ActionBracket& limits =
        bracket[static_cast<std::size_t>(policy[static_cast<std::size_t>(cell)])];
    const ActionEffect& discrete =
        effect[static_cast<std::size_t>(policy[static_cast<std::size_t>(cell)])];
    const ExpectedValue<Lanes> expected_value =
        prepare(lanes, now.profile(discrete.profile), cell, flow, limits.faster);
    const double discrete_value = expected_value(
        discrete.u, discrete.v, exact_action_reward(objective, limits.energy, limits.speed, step));
    const SearchResult result = search(expected_value, limits, discrete_value);
    // Compare after rounding to float32, because float32 is stored.
    RefinedAction refined{cell, static_cast<float>(result.heading),
                          static_cast<float>(result.speed), 0};
    const double value = value_of(expected_value, limits, static_cast<double>(refined.heading),
                                  static_cast<double>(refined.speed));
    if (result.is_better && value > discrete_value) {
      refined.gain = static_cast<float>(value - discrete_value);
    }
    if (!(refined.gain > 0)) {
      return {cell, static_cast<float>(limits.heading), static_cast<float>(limits.speed), 0};
    }
    return refined;
  }

 private:
  // Expected value of moving through the water with (u, v) from one state.
  template <class Lanes>
  struct ExpectedValue {
    const RefineState& refine;
    const Lanes& lanes;
    const float* flow;
    std::int32_t column;
    std::int32_t row;
    bool smooth;

    TIDEWISE_HOST_DEVICE double operator()(double u, double v, double action_part) const {
      const auto count = static_cast<std::int32_t>(refine.realization.size);
      const double sum = lanes.sum(count, [&](std::int32_t n) {
        const double x = (static_cast<double>(flow[2 * n]) + u) * refine.cells_x;
        const double y = (static_cast<double>(flow[2 * n + 1]) + v) * refine.cells_y;
        const InterpolatedOutcome& landing = refine.outcome;
        const double value = smooth ? landing.smooth_value(column, row, x, y, action_part)
                                    : landing.step_return(column, row, x, y, action_part);
        return refine.weight.empty() ? value : refine.weight[static_cast<std::size_t>(n)] * value;
      });
      return sum / refine.total_weight;
    }
  };

  struct SearchResult {
    double heading;
    double speed;
    double value;
    bool is_better;  ///< true if it is better than the discrete action
  };

  // Computes each realization's velocity at the cell, and whether all values within reach are
  // smooth.
  template <class Lanes>
  TIDEWISE_HOST_DEVICE ExpectedValue<Lanes> prepare(const Lanes& lanes,
                                                    const LevelView& profile_level,
                                                    std::int32_t cell, float* flow,
                                                    double fastest) const {
    const auto at = static_cast<std::size_t>(cell);
    const auto realizations = static_cast<std::size_t>(profile_level.realization_count);
    const auto count = static_cast<std::int32_t>(realization.size);
    lanes.for_each(count, [&](std::int32_t n) {
      const float* coefficient =
          profile_level.coefficient.data + realization[static_cast<std::size_t>(n)];
      flow[2 * n] =
          velocity(profile_level.u_mean[at], profile_level.u_mode.data + at,
                   profile_level.u_mean.size, coefficient, realizations, profile_level.mode_count);
      flow[2 * n + 1] =
          velocity(profile_level.v_mean[at], profile_level.v_mode.data + at,
                   profile_level.v_mean.size, coefficient, realizations, profile_level.mode_count);
    });
    const double u = lanes.greatest(
        count, [&](std::int32_t n) { return std::fabs(static_cast<double>(flow[2 * n])); });
    const double v = lanes.greatest(
        count, [&](std::int32_t n) { return std::fabs(static_cast<double>(flow[2 * n + 1])); });
    const std::int32_t column = outcome.landing.grid.column(CellIndex(cell));
    const std::int32_t row = outcome.landing.grid.row(CellIndex(cell));
    // Small margin for rounding.
    const bool smooth = outcome.is_smooth(column, row, (u + fastest) * cells_x * 1.000001,
                                          (v + fastest) * cells_y * 1.000001);
    return {*this, lanes, flow, column, row, smooth};
  }

  template <class Lanes>
  TIDEWISE_HOST_DEVICE double value_of(const ExpectedValue<Lanes>& expected_value,
                                       const ActionBracket& limits, double heading,
                                       double speed) const {
    const Direction direction = same_bits_direction(heading);
    return expected_value(speed * direction.cosine, speed * direction.sine,
                          exact_action_reward(objective, limits.energy, speed, step));
  }

  template <class Lanes>
  TIDEWISE_HOST_DEVICE SearchResult search(const ExpectedValue<Lanes>& expected_value,
                                           const ActionBracket& limits,
                                           double discrete_value) const {
    SearchResult result{limits.heading, limits.speed, discrete_value, false};
    const bool has_speeds = limits.slower < limits.faster;
    // An action without speed has no heading: begin at the discrete heading that is best at half
    // the next speed.
    double centre = limits.heading;
    if (limits.speed == 0) {
      if (!has_speeds) return result;
      centre = best_discrete_heading(expected_value, limits, limits.faster / 2);
      result.heading = centre;
    }
    const std::int32_t round_count = has_speeds ? rounds : 1;
    for (std::int32_t round = 0; round < round_count; ++round) {
      if (result.speed > 0) {
        const Maximum best = golden_section(
            [&](double heading) { return value_of(expected_value, limits, heading, result.speed); },
            centre - heading_spacing, centre + heading_spacing, steps);
        if (best.value > result.value) result = {best.at, result.speed, best.value, true};
      }
      if (has_speeds) {
        const Maximum best = golden_section(
            [&](double speed) { return value_of(expected_value, limits, result.heading, speed); },
            limits.slower, limits.faster, steps);
        if (best.value > result.value) result = {result.heading, best.at, best.value, true};
      }
    }
    constexpr double full_circle = 6.283185307179586477;
    if (result.heading < 0) result.heading += full_circle;
    if (result.heading >= full_circle) result.heading -= full_circle;
    return result;
  }

  template <class Lanes>
  TIDEWISE_HOST_DEVICE double best_discrete_heading(const ExpectedValue<Lanes>& expected_value,
                                                    const ActionBracket& limits,
                                                    double speed) const {
    double best = headings[0];
    double best_value = value_of(expected_value, limits, best, speed);
    for (std::size_t n = 1; n < headings.size; ++n) {
      const double value = value_of(expected_value, limits, headings[n], speed);
      if (value > best_value) {
        best = headings[n];
        best_value = value;
      }
    }
    return best;
  }
};

}  // namespace tidewise

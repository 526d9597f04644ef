#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "solver/policy/policy.h"
#include "solver/step/kept_scalar.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_value.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"

namespace tidewise {

/// Effect of an action in one step, computed once.
struct ActionEffect {
  double u = 0;                  ///< velocity through the water, eastward [m s-1 or 1]
  double v = 0;                  ///< northward
  double spent = 0;              ///< power_spent() Δt
  float reward = 0;              ///< part of r that depends only on the action
  Displacement displacement;     ///< A
  std::int32_t profile = 0;      ///< profile of the dive
  DisplacementError error = {};  ///< displacement error of A
};

/// Effects of the problem's actions, (action). `step`: Δt [s or 1].
std::vector<ActionEffect> action_effects(const PlanningProblem& problem, double step);

/// Energy and reward of one step. `reward` is W without v(k+1, s').
struct StepResult {
  double spent = 0;
  double harvested = 0;
  double reward = 0;
};

/// Inputs of a step from level k to k+1, for flights in either mode and the forward evaluation.
/// Trivially copyable.
struct StepContext {
  LevelView now;   ///< level k
  LevelView next;  ///< level k+1
  LandingRule rule;
  View<const std::int16_t> policy;  ///< action of each cell at k, (y, x)
  View<const ActionEffect> effect;  ///< (action)
  double step = 0;                  ///< Δt [s or 1]
  double begun = 0;                 ///< share of the step that is over at departure
  bool holds = false;               ///< true if vehicles hold the action of the step before
  std::int32_t until_decision = 1;  ///< steps from k to the next deciding level
  TimeLevel decided;                ///< the last deciding level, k or earlier
  VehicleError error;               ///< drawn for each dive by flights in `continuous` mode
  double c_r = 0;                   ///< factor of harvested energy, which is computed for every
                                    ///< objective
  float harvest = 0;                ///< harvest_factor(): the factor of harvest in r
  float arrival_reward = 0;
  FailurePenalties failure;
  bool keeps = false;  ///< true if the objective is to stay near a place: the last step counts like
                       ///< any other
  KeptScalar kept;     ///< g at a true position
  /// Refined effects that replace those of the actions, (y, x); empty: none.
  View<const ActionEffect> refined = {};

  /// Effect of `action` in a cell.
  TIDEWISE_HOST_DEVICE const ActionEffect& effect_in(std::size_t cell, std::int16_t action) const {
    return refined.empty() ? effect[static_cast<std::size_t>(action)] : refined[cell];
  }

  /// End of a flight in a cell without an action: the cell is closed, or the policy has no action
  /// for it. Both have the obstacle penalty.
  TIDEWISE_HOST_DEVICE StepOutcome stranded_in(std::size_t cell) const {
    if (rule.is_non_terminal(cell)) return StepOutcome::without_action;
    return closed_end(rule.masked_now[cell]);
  }

  /// Value of a vehicle whose time is up in a cell.
  TIDEWISE_HOST_DEVICE float late(std::int32_t column, std::int32_t row) const {
    return late_value(rule.grid, rule.disc, failure, column, row);
  }

  /// Energy and reward of a step with this end, between the scalar fields g(s,k) and g(s',k+1), in
  /// (column, row). Nothing is harvested without a scalar field or if the path was blocked.
  TIDEWISE_HOST_DEVICE StepResult result(const ActionEffect& action_effect, const StepEnd& end,
                                         std::int32_t column, std::int32_t row, float scalar_from,
                                         float scalar_to) const {
    StepResult result{end.fraction * action_effect.spent, 0, 0};
    const bool harvests = !now.scalar.empty();
    if (harvests && end.outcome != StepOutcome::obstacle &&
        end.outcome != StepOutcome::out_of_forecast && end.outcome != StepOutcome::out_of_domain) {
      result.harvested = end.fraction * energy_harvested(c_r, step, scalar_from, scalar_to);
    }
    const auto reward = [&]() -> double {
      return harvests && harvest != 0
                 ? step_reward(action_effect.reward, harvest, scalar_from, scalar_to)
                 : action_effect.reward;
    };
    const bool is_late = end.outcome == StepOutcome::out_of_time;
    const auto value_next = [&]() -> double {
      if (!is_late) return 0.0;
      return keeps ? reward() : late(column, row);
    };
    result.reward = landing_value<double>(end, failure, arrival_reward, reward, value_next);
    // A step that began before the departure is only partly made.
    if (end.outcome == StepOutcome::under_way || (keeps && is_late)) result.reward *= end.fraction;
    return result;
  }
};

/// Tables of a step other than the levels' fields, in the memory (host or device) of the code that
/// computes it.
struct StepTables {
  View<const std::uint8_t> target;  ///< (y, x)
  View<const std::int16_t> policy;  ///< policy at level k, (y, x)
  View<const ActionEffect> effect;  ///< (action)
};

/// Context of the step from k, with fields `now`, to k+1, with fields `next`. Borrows the memory of
/// the views.
StepContext make_step_context(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                              const LevelView& now, const LevelView& next,
                              const StepTables& tables);

/// State of a flight before its first step: arrived in the target, at an obstacle in a closed cell
/// (also within the target), out of time at the last level, or under way. `masked`: the mask of the
/// start's cell at departure.
StepOutcome outcome_at_start(const Mission& mission, std::uint8_t masked);

/// Value of a flight that ends before its first step.
double value_without_step(const EnvironmentInfo& info, const Mission& mission, StepOutcome outcome);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "solver/policy/policy.h"
#include "solver/step/kept_scalar.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_worth.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"

namespace tidewise {

/// What taking an action does, reckoned once.
struct ActionEffect {
  double u = 0;                  ///< velocity through the water, eastward [m s-1 or 1]
  double v = 0;                  ///< northward
  double spent = 0;              ///< power_spent() Δt
  float reward = 0;              ///< the part of r that depends on the action alone
  Displacement displacement;     ///< A
  std::int32_t profile = 0;      ///< that it dives
  DisplacementError error = {};  ///< of A
};

std::vector<ActionEffect> action_effects(const PlanningProblem& problem, double step);

/// What one step brings: `reward` is what W holds, but for v(k+1, s').
struct StepWorth {
  double spent = 0;
  double harvested = 0;
  double reward = 0;
};

/// All that a step from level k to k+1 sees, in either mode and in the forward evaluation.
/// Trivially copyable.
struct StepContext {
  LevelView now;   ///< level k
  LevelView next;  ///< level k+1
  LandingRule rule;
  View<const std::int16_t> policy;  ///< action of each cell at k, (y, x)
  View<const ActionEffect> effect;  ///< (action)
  double step = 0;                  ///< Δt [s or 1]
  double begun = 0;                 ///< share of the step that was over at the departure
  bool holds = false;               ///< vehicles go on as in the step before
  std::int32_t until_decision = 1;  ///< steps from k to the next level that decides
  TimeLevel decided;                ///< the last level that decided, k or one before
  VehicleError error;               ///< drawn by flights in `continuous` mode at that level
  double c_r = 0;                   ///< harvest goes into the books for every objective …
  float harvest = 0;                ///< … and into r for one: harvest_factor()
  float arrival_reward = 0;
  FailurePrices failure;
  bool keeps = false;  ///< the last step counts as any other: keeps()
  KeptScalar kept;     ///< what g is at a true position
  /// What is done in each cell in place of its action's effect, (y, x); empty: nothing is.
  View<const ActionEffect> refined = {};

  /// What taking `action` in a cell does.
  TIDEWISE_HOST_DEVICE const ActionEffect& effect_in(std::size_t cell, std::int16_t action) const {
    return refined.empty() ? effect[static_cast<std::size_t>(action)] : refined[cell];
  }

  /// How a flight ends in a cell without an action: it was closed on it, or it has come to water
  /// that the policy says nothing of. Either is priced as an obstacle.
  TIDEWISE_HOST_DEVICE StepOutcome stranded_in(std::size_t cell) const {
    if (rule.is_non_terminal(cell)) return StepOutcome::without_action;
    return closed_end(rule.masked_now[cell]);
  }

  /// What being late in a cell is worth.
  TIDEWISE_HOST_DEVICE float late(std::int32_t column, std::int32_t row) const {
    return late_worth(rule.grid, rule.disc, failure, column, row);
  }

  /// Books one step that ended so between scalar fields g(s,k) and g(s',k+1), in (column, row);
  /// without a scalar field, or where the way was barred, nothing is harvested.
  TIDEWISE_HOST_DEVICE StepWorth worth(const ActionEffect& taken, const StepEnd& end,
                                       std::int32_t column, std::int32_t row, float scalar_here,
                                       float scalar_there) const {
    StepWorth worth{end.fraction * taken.spent, 0, 0};
    const bool harvests = !now.scalar.empty();
    if (harvests && end.outcome != StepOutcome::obstacle &&
        end.outcome != StepOutcome::out_of_forecast && end.outcome != StepOutcome::out_of_domain) {
      worth.harvested = end.fraction * energy_harvested(c_r, step, scalar_here, scalar_there);
    }
    const auto reward = [&]() -> double {
      return harvests && harvest != 0
                 ? step_reward(taken.reward, harvest, scalar_here, scalar_there)
                 : taken.reward;
    };
    const bool is_late = end.outcome == StepOutcome::out_of_time;
    const auto value_next = [&]() -> double {
      if (!is_late) return 0.0;
      return keeps ? reward() : late(column, row);
    };
    worth.reward = landing_worth<double>(end, failure, arrival_reward, reward, value_next);
    // Of a step that was begun before the departure only what is left is made.
    if (end.outcome == StepOutcome::under_way || (keeps && is_late)) worth.reward *= end.fraction;
    return worth;
  }
};

/// What a step looks up beside the levels' fields, in the memory of whoever computes it.
struct StepTables {
  View<const std::uint8_t> target;  ///< (y, x)
  View<const std::int16_t> policy;  ///< of level k, (y, x)
  View<const ActionEffect> effect;  ///< (action)
};

/// The step from k, whose fields are `now`, to k+1, whose fields are `next`. Borrows what the views
/// see.
StepContext make_step_context(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                              const LevelView& now, const LevelView& next,
                              const StepTables& tables);

/// How a flight stands before its first step: arrived in the target, at an obstacle in a closed
/// cell (a mask over the target wins), out of time at the last level, or under way.
/// `masked`: whether the start's cell is closed at departure.
StepOutcome outcome_at_start(const Mission& mission, std::uint8_t masked);

/// What such a flight is worth that ends before its first step.
double worth_at_start(const EnvironmentInfo& info, const Mission& mission, StepOutcome outcome);

}  // namespace tidewise

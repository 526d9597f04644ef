#include "solver/refine/refinement_tables.h"

#include <map>
#include <numbers>
#include <set>

#include "base/error.h"
#include "solver/error/codes.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// Returns `max_count` realizations, evenly spaced among those with positive weight; 0: all of them.
std::vector<std::int32_t> chosen_realizations(const EnvironmentInfo& info, std::int32_t max_count) {
  std::vector<std::int32_t> candidates;
  for (std::int32_t n = 0; n < info.realization_count; ++n) {
    if (info.realization_weight.empty() ||
        info.realization_weight[static_cast<std::size_t>(n)] > 0) {
      candidates.push_back(n);
    }
  }
  if (max_count == 0 || static_cast<std::size_t>(max_count) >= candidates.size()) return candidates;
  std::vector<std::int32_t> chosen;
  for (std::int32_t n = 0; n < max_count; ++n) {
    chosen.push_back(candidates[static_cast<std::size_t>(n) * candidates.size() /
                                static_cast<std::size_t>(max_count)]);
  }
  return chosen;
}

std::vector<ActionBracket> brackets_of(const std::vector<Action>& actions, const Mission& mission) {
  std::map<std::int32_t, std::set<double>> speeds_of_profile;
  for (const Action& action : actions) speeds_of_profile[action.profile].insert(action.speed);
  std::vector<ActionBracket> brackets;
  for (const Action& action : actions) {
    const std::set<double>& speeds = speeds_of_profile[action.profile];
    const auto speed = speeds.find(action.speed);
    const auto next = std::next(speed);
    brackets.push_back(
        {action.heading, action.speed, speed == speeds.begin() ? action.speed : *std::prev(speed),
         next == speeds.end() ? action.speed : *next, mission.energy_on(action.profile)});
  }
  return brackets;
}

}  // namespace

void validate_refinement(const RefinementOptions& options) {
  if (options.realizations < 0 || options.steps < 1 || options.rounds < 1) {
    throw input_error(errors::refinement_options_invalid, options.realizations, options.steps,
                      options.rounds);
  }
}

RefinementTables make_refinement_tables(const EnvironmentInfo& info, const PlanningProblem& problem,
                                        const RefinementOptions& options) {
  validate_refinement(options);
  RefinementTables tables;
  tables.realization = chosen_realizations(info, options.realizations);
  tables.total_weight = static_cast<double>(tables.realization.size());
  if (!info.realization_weight.empty()) {
    tables.total_weight = 0;
    for (const std::int32_t n : tables.realization) {
      tables.weight.push_back(info.realization_weight[static_cast<std::size_t>(n)]);
      tables.total_weight += tables.weight.back();
    }
  }
  tables.effect = action_effects(problem, info.time.step);
  tables.bracket = brackets_of(problem.actions, problem.mission);
  std::set<double> headings;
  for (const Action& action : problem.actions) {
    if (action.speed > 0) headings.insert(action.heading);
  }
  if (headings.empty()) headings.insert(0);
  tables.headings.assign(headings.begin(), headings.end());
  return tables;
}

std::vector<std::int32_t> cells_to_refine(const StatesToRefine* states, TimeLevel k,
                                          View<const std::int16_t> policy) {
  std::vector<std::int32_t> cells;
  if (states == nullptr) {
    for (std::size_t cell = 0; cell < policy.size; ++cell) {
      if (policy[cell] != no_action) cells.push_back(static_cast<std::int32_t>(cell));
    }
    return cells;
  }
  const auto level = static_cast<std::size_t>(k.value);
  if (level >= states->size()) return cells;
  for (const std::int32_t cell : (*states)[level]) {
    if (policy[static_cast<std::size_t>(cell)] != no_action) cells.push_back(cell);
  }
  return cells;
}

TimeLevel first_to_refine(const Mission& mission, const StatesToRefine* states) {
  return states == nullptr ? TimeLevel(0) : mission.departure;
}

RefineState refine_state_without_tables(const EnvironmentInfo& info, const Mission& mission,
                                        TimeLevel k, const LevelView& now, const LevelView& next,
                                        const RefinementTables& tables,
                                        const RefinementOptions& options) {
  const double step = info.time.step;
  RefineState refine;
  refine.now = now;
  refine.outcome.landing = landing_rule(info, mission, k, {}, now.masked, next.masked);
  refine.outcome.failure = mission.failure;
  refine.outcome.arrival_reward = mission.arrival_reward;
  if (info.has_scalar) {
    refine.outcome.harvest = harvest_factor(mission.objective, mission.energy, step);
    refine.outcome.scalar_now = now.scalar;
    refine.outcome.scalar_next = next.scalar;
  }
  refine.total_weight = tables.total_weight;
  refine.heading_spacing = 2 * std::numbers::pi / static_cast<double>(tables.headings.size());
  refine.objective = mission.objective;
  refine.step = step;
  refine.cells_x = step / info.grid.dx;
  refine.cells_y = step / info.grid.dy;
  refine.steps = options.steps;
  refine.rounds = options.rounds;
  return refine;
}

}  // namespace tidewise

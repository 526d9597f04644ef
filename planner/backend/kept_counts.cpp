#include "planner/backend/kept_counts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "model_builder/explicit/compact_level.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

KeptCounts::KeptCounts(const EnvironmentReader& environment, const PositionRule& rule,
                       const std::vector<Action>& actions, const PlannerOptions& options,
                       Progress& progress)
    : model_(describe_model(environment, rule, actions, options, progress)) {
  const auto source =
      make_cpu_compact_source(environment, rule, actions, model_.subgrid, options.engine,
                              options.threads, options.subgrid_radius);
  progress.begin("counting", model_.time.level_count - 1, "levels");
  while (auto counted = source->next()) {
    progress.advance_to(counted->level.value + 1);
    levels_.push_back(std::move(*counted));
  }
  progress.end();
}

bool KeptCounts::matches(const EnvironmentInfo& environment, const PlanningProblem& problem) const {
  const auto same = [](const Action& one, const Action& other) {
    return one.displacement.x == other.displacement.x &&
           one.displacement.y == other.displacement.y && one.profile == other.profile;
  };
  return model_.grid.nx == environment.grid.nx && model_.grid.ny == environment.grid.ny &&
         model_.time.level_count == environment.time.level_count && problem.rule.draws == 1 &&
         model_.rule.draws == 1 && std::ranges::equal(model_.actions, problem.actions, same);
}

CountLevel KeptCounts::counts(const EnvironmentInfo& environment, const PlanningProblem& problem,
                              const PlannerOptions& options) const {
  const CountLevel count =
      count_by_engine(options.engine, environment, problem.rule, problem.actions, options.threads,
                      options.subgrid_radius);
  if (!matches(environment, problem)) return count;
  return [this, count, threads = options.threads, rule = problem.rule,
          velocities = environment.velocities,
          scale = DisplacementScale(environment.grid, environment.time),
          weights = counting_weights(environment, problem.rule)](
             TimeLevel k, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
    const CountedLevel& stored = levels_.at(static_cast<std::size_t>(k.value));
    if (fingerprint(level, velocities, scale, rule, weights) != stored.fingerprint) {
      return count(k, level, cells, sink);
    }
    feed_counts(stored.rows, model_.subgrid, static_cast<std::int32_t>(model_.actions.size()),
                cells, threads, sink);
  };
}

}  // namespace tidewise

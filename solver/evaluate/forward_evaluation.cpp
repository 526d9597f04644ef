#include "solver/evaluate/forward_evaluation.h"

#include "env/levels/level_pair.h"
#include "model_builder/engines.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/evaluate/held_fronts.h"
#include "solver/pass/forward.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// evaluate_policy() of a mission that holds actions.
ExpectedOutcome evaluate_held(const EnvironmentReader& environment, const PlanningProblem& problem,
                              const PolicySource& policy, std::int32_t threads, Progress& progress,
                              const CountLevel& count) {
  const Mission& mission = problem.mission;
  HeldFronts fronts(environment.info(), problem, policy);
  LevelPair levels(environment, mission.departure, mission.last);
  fronts.start(levels.next().masked);
  walk_forward(levels, mission.departure, mission.last, "evaluating the policy", progress,
               fronts.under_way(), [&](TimeLevel k, const LevelView& now, const LevelView& next) {
                 fronts.step(k, now, next, threads, count);
                 return fronts.under_way();
               });
  return fronts.close();
}

}  // namespace

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(Engine::lattice, problem.rule, info.grid, info.time,
                                      problem.actions, threads);
  const auto weights = counting_weights(info, problem.rule);
  return evaluate_policy(
      environment, problem, policy, threads, progress,
      [&](TimeLevel, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
        engine->count_level(level, weights, cells, sink);
      });
}

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress, const CountLevel& count) {
  if (problem.mission.decisions.hold()) {
    return evaluate_held(environment, problem, policy, threads, progress, count);
  }
  const auto outcomes =
      evaluate_policies(environment, problem.rule, problem.actions, {{&problem.mission, &policy}},
                        threads, progress, {}, count);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

}  // namespace tidewise

#include "solver/evaluate/forward_evaluation.h"

#include "model_builder/engines.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

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
  const auto outcomes =
      evaluate_policies(environment, problem.rule, problem.actions, {{&problem.mission, &policy}},
                        threads, progress, {}, count);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

}  // namespace tidewise

#include "solver/evaluate/forward_evaluation.h"

#include "env/file/level_pair.h"
#include "model_builder/engines.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/policy_transitions.h"
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
  const EnvironmentInfo& info = environment.info();
  std::vector<std::int16_t> action(static_cast<std::size_t>(info.grid.cell_count()));
  const View<const std::int16_t> now = action;
  PolicyTransitions landings;
  ForwardPropagation front(info, problem);
  LevelPair levels(environment, problem.mission.departure, problem.mission.last);
  front.start(levels.next().masked);
  progress.begin("evaluating the policy",
                 problem.mission.last.value - problem.mission.departure.value, "levels");
  for (TimeLevel k = problem.mission.departure; k < problem.mission.last && front.under_way();
       ++k.value) {
    levels.advance();
    read_policy(policy, k, problem.actions.size(), action);
    landings.expect(front.cells(), now);
    count(k, levels.now(), front.cells(), landings);
    front.begin_step(k, levels.now(), levels.next(), now);
    front.land(0, front.cells().size, landings, threads);
    front.end_step();
    progress.advance_to(k.value + 1 - problem.mission.departure.value);
  }
  progress.end();
  return front.close();
}

}  // namespace tidewise

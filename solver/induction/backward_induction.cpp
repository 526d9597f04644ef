#include "solver/induction/backward_induction.h"

#include "env/file/file_in_error.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"
#include "solver/pass/backward.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

CountLevel count_by_engine(Engine engine, const EnvironmentInfo& info, const PositionRule& rule,
                           const std::vector<Action>& actions, std::int32_t threads,
                           std::int32_t subgrid_radius) {
  const std::shared_ptr<CountingEngine> counter =
      make_cpu_engine(engine, rule, info.grid, info.time, actions, threads, subgrid_radius);
  return [counter, weights = counting_weights(info, rule)](
             TimeLevel, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
    counter->count_level(level, weights, cells, sink);
  };
}

SolveReport solve_levels(const EnvironmentReader& environment, const Mission& mission,
                         std::size_t action_count, LevelSolver& solver, PolicySink& sink,
                         Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  SolveReport report;
  report.states = static_cast<std::int64_t>(info.grid.cell_count()) * (mission.last.value + 1) *
                  static_cast<std::int64_t>(mission.via.size() + 1);
  const auto solve = [&](TimeLevel k, const LevelFields<>& fields) {
    const Stopwatch solving;
    if (k == mission.last) {
      solver.start(fields);
    } else {
      with_file_in_error(environment, [&] { solver.step(k, fields); });
      report.rows += solver.decided() * static_cast<std::int64_t>(action_count);
    }
    report.solve_seconds += solving.seconds();
    solver.hand_over(k, sink);
    return true;
  };
  report.read_seconds = walk_backward(environment, mission.last, "planning", progress, solve);
  report.transitions = report.rows * info.realization_count;
  return report;
}

SolveReport solve_backward(const EnvironmentReader& environment, const PlanningProblem& problem,
                           std::int32_t threads, const CountLevel& count, PolicySink& sink,
                           Progress& progress) {
  const auto solver =
      make_cpu_level_solver(environment.info(), problem, threads, count, sink.rows_to_keep());
  return solve_levels(environment, problem.mission, problem.actions.size(), *solver, sink,
                      progress);
}

SolveReport solve_with_engine(const EnvironmentReader& environment, const PlanningProblem& problem,
                              std::int32_t threads, CountingEngine& engine, PolicySink& sink,
                              Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const std::vector<std::uint32_t> weights = counting_weights(info, problem.rule);
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& counts) {
    with_file_in_error(environment, [&] { engine.count_level(level, weights, cells, counts); });
  };
  return solve_backward(environment, problem, threads, count, sink, progress);
}

SolveReport solve_mission(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PlannerOptions& options, PolicySink& sink, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(options.engine, problem.rule, info.grid, info.time,
                                      problem.actions, options.threads, options.subgrid_radius);
  return solve_with_engine(environment, problem, options.threads, *engine, sink, progress);
}

}  // namespace tidewise

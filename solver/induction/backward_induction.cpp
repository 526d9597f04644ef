#include "solver/induction/backward_induction.h"

#include "base/stopwatch.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

SolveReport solve_levels(const EnvironmentReader& environment, const Mission& mission,
                         std::size_t action_count, LevelSolver& solver, PolicySink& sink,
                         Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  LevelStream levels(environment, levels_between(mission.last, TimeLevel(0)));
  SolveReport report;
  report.states = static_cast<std::int64_t>(info.grid.cell_count()) * (mission.last.value + 1);
  progress.begin("planning", mission.last.value, "levels");
  for (TimeLevel k = mission.last; k.value >= 0; --k.value) {
    const Stopwatch reading;
    const LevelFields<>& fields = levels.next();
    report.read_seconds += reading.seconds();
    const Stopwatch solving;
    if (k == mission.last) {
      solver.start(fields);
    } else {
      with_file_in_error(environment, [&] { solver.step(k, fields); });
      report.rows += solver.decided() * static_cast<std::int64_t>(action_count);
    }
    report.solve_seconds += solving.seconds();
    solver.hand_over(k, sink);
    progress.advance_to(mission.last.value - k.value);
  }
  progress.end();
  report.transitions = report.rows * info.realization_count;
  return report;
}

SolveReport solve_backward(const EnvironmentReader& environment, const PlanningProblem& problem,
                           std::int32_t threads, const CountLevel& count, PolicySink& sink,
                           Progress& progress) {
  const auto solver = make_cpu_level_solver(environment.info(), problem, threads, count);
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

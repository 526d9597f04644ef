#include "bench/planner/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "bench/planner/device.h"
#include "bench/planner/paper_level_builder.h"
#include "bench/planner/problem.h"
#include "bench/planner/published_run.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"
#include "solver/published/model.h"
#include "solver/step/boundary.h"

namespace tidewise {
namespace {

constexpr std::int32_t max_cells = 40;
// Limit for the published method, whose plain loops are slow.
constexpr std::int32_t max_published_cells = 20;
constexpr std::int32_t steps = 8;  // enough for the first arrivals' values to spread

// Solves every level with the CPU's backup of counts from any source.
PolicyTable solve_on_cpu(const PlannerProblem& problem, const std::vector<Action>& actions,
                         const Mission& mission, std::int32_t threads, const CountLevel& count) {
  const EnvironmentInfo& info = problem.info();
  PolicyTable policy(info.grid, mission.last);
  const auto solver =
      make_cpu_level_solver(info, {actions, mission, problem.rule()}, threads, count);
  LevelFields<> fields(info);
  for (TimeLevel k = mission.last; k.value >= 0; --k.value) {
    problem.fill(k, fields);
    if (k == mission.last) {
      solver->start(fields);
    } else {
      solver->step(k, fields);
    }
    solver->hand_over(k, policy);
  }
  return policy;
}

// Solves with the CPU's backup of the counts of the published algorithm, by its timed builder.
PolicyTable solve_by_paper(const PlannerProblem& problem, const std::vector<Action>& actions,
                           const Mission& mission, std::int32_t threads) {
  PaperLevelBuilder paper(problem, actions, mission, threads);
  return solve_on_cpu(problem, actions, mission, threads,
                      [&](TimeLevel k, const LevelView&, View<const CellIndex>, CountSink& sink) {
                        paper.prepare(k);
                        (void)paper.build(k);
                        paper.feed(sink);
                      });
}

// Solves by the published method in plain loops.
PolicyTable solve_by_loops(const PlannerProblem& problem, const std::vector<Action>& actions,
                           const Mission& mission, std::int32_t threads) {
  const EnvironmentInfo& info = problem.info();
  const PublishedProblem published(info, {actions, mission, problem.rule()});
  PolicyTable policy(info.grid, mission.last);
  LevelFields<> now(info);
  LevelFields<> next(info);
  const std::size_t cells = published.cells();
  std::vector<float> value(cells);
  std::vector<float> value_next(cells);
  std::vector<float> expected(published.rows());
  std::vector<std::int16_t> action(cells, no_action);
  problem.fill(mission.last, next);
  const BoundaryValue at_boundary = boundary_value(info, mission);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    value_next[cell] = at_boundary(next.masked[cell] != 0, mission.target[cell] != 0, cell);
  }
  policy.accept(0, mission.last, action, value_next);
  for (TimeLevel k(mission.last.value - 1); k.value >= 0; --k.value) {
    problem.fill(k, now);
    const PublishedLevel level =
        published.level(k, now.view(info), next.masked, next.scalar, threads);
    published.back_up(published.build(level, threads), level.outcome, value_next, expected, value,
                      action);
    policy.accept(0, k, action, value);
    std::swap(value, value_next);
    std::swap(now, next);
  }
  return policy;
}

void require_same(const PolicyTable& computed, const PolicyTable& expected,
                  std::string_view engine) {
  if (computed.action == expected.action &&
      std::memcmp(computed.value.data(), expected.value.data(),
                  expected.value.size() * sizeof(float)) == 0) {
    return;
  }
  throw RunError(
      fmt::format("bench planner: {} on the device gives another policy or other values than the "
                  "CPU",
                  engine));
}

}  // namespace

void check_planners(BenchmarkSize size, std::int32_t threads, const std::vector<Engine>& engines) {
  size.cells = std::min(size.cells, max_cells);
  size.steps = steps;
  const PlannerProblem problem(size, beyond_caches);
  const EnvironmentInfo& info = problem.info();
  const auto actions = problem.actions(size.headings);
  const Mission mission = problem.mission(Objective::net_energy, steps, 3);
  const auto counter =
      make_cpu_engine(Engine::lattice, problem.rule(), info.grid, info.time, actions, threads);
  const PolicyTable expected =
      solve_on_cpu(problem, actions, mission, threads,
                   [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                       CountSink& sink) { counter->count_level(level, {}, cells, sink); });
  for (const Engine engine : engines) {
    if (engine == Engine::paper) {
      require_same(solve_by_paper(problem, actions, mission, threads), expected, to_string(engine));
    } else {
      PolicyTable computed(info.grid, mission.last);
      (void)solve_on_device(problem, actions, mission, engine, &computed);
      require_same(computed, expected, to_string(engine));
    }
  }
}

void check_published(BenchmarkSize size, std::int32_t threads) {
  size.cells = std::min(size.cells, max_published_cells);
  size.steps = steps;
  size.landing = LandingBy::cell;
  const PlannerProblem problem(size, beyond_caches);
  const auto actions = problem.actions(size.headings);
  const Mission mission = problem.mission(Objective::energy, steps, 3);
  const PolicyTable expected = solve_by_loops(problem, actions, mission, threads);
  const PublishedRun run(problem, actions, mission, threads);
  SilentProgress progress;
  for (const PublishedMemory memory : {PublishedMemory::host, PublishedMemory::device}) {
    PolicyTable computed(problem.info().grid, mission.last);
    (void)run.run(memory, progress, &computed);
    require_same(computed, expected, "the published method");
  }
}

}  // namespace tidewise

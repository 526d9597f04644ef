#include "solver/refine/refine_policy.h"

#include <omp.h>

#include <algorithm>

#include "env/levels/level_pair.h"
#include "solver/pass/forward.h"
#include "solver/refine/host_lanes.h"
#include "solver/refine/refinement_tables.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

StatesToRefine states_near(const RolloutResult& flights, const Grid& grid, TimeLevel last,
                           std::int32_t ring) {
  StatesToRefine states(static_cast<std::size_t>(last.value) + 1);
  for (const Trajectory& trajectory : flights.trajectories) {
    for (std::size_t n = 0; n < trajectory.points.size(); ++n) {
      const std::size_t k = static_cast<std::size_t>(flights.departure.value) + n;
      if (k >= states.size()) break;
      const std::int32_t column = grid.column_at(trajectory.points[n].x);
      const std::int32_t row = grid.row_at(trajectory.points[n].y);
      for (std::int32_t j = row - ring; j <= row + ring; ++j) {
        for (std::int32_t i = column - ring; i <= column + ring; ++i) {
          if (grid.contains(i, j)) states[k].push_back(grid.cell(i, j).value);
        }
      }
    }
  }
  for (auto& cells : states) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  }
  return states;
}

RefinedPolicy refine_policy(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const StatesToRefine* states,
                            const RefinementOptions& options, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const RefinementTables tables = make_refinement_tables(info, problem, options);
  const auto cell_count = static_cast<std::size_t>(info.grid.cell_count());
  std::vector<std::int16_t> action(cell_count);
  std::vector<float> value(cell_count);
  std::vector<std::uint8_t> non_interpolable(cell_count);
  std::vector<std::vector<float>> flow(static_cast<std::size_t>(options.threads));
  for (auto& thread_flow : flow) thread_flow.resize(2 * tables.realization.size());

  RefinedPolicy refined;
  refined.level.resize(static_cast<std::size_t>(problem.mission.last.value) + 1);
  const TimeLevel first = first_to_refine(problem.mission, states);
  LevelPair levels(environment, first, problem.mission.last);
  const auto refine_level = [&](TimeLevel k, const LevelView& now, const LevelView& next) {
    read_policy(policy, k, problem.actions.size(), action);
    policy.read_value(TimeLevel(k.value + 1), value);
    const std::vector<std::int32_t> cells = cells_to_refine(states, k, action);
    RefineState refine =
        refine_state_without_tables(info, problem.mission, k, now, next, tables, options);
    refine.policy = action;
    refine.outcome.landing.target = problem.mission.target;
    refine.outcome.value_next = value;
    refine.outcome.non_interpolable = non_interpolable;
    refine.realization = tables.realization;
    refine.weight = tables.weight;
    refine.effect = tables.effect;
    refine.bracket = tables.bracket;
    refine.headings = tables.headings;
    const FindNonInterpolable mark{next.masked, refine.outcome.landing.target,
                                   refine.outcome.value_next, problem.mission.failure,
                                   non_interpolable};
    for (std::size_t cell = 0; cell < cell_count; ++cell) mark(cell);
    auto& out = refined.level[static_cast<std::size_t>(k.value)];
    out.resize(cells.size());
#pragma omp parallel num_threads(options.threads) if (cells.size() > 1)
    {
      float* thread_flow = flow[static_cast<std::size_t>(omp_get_thread_num())].data();
#pragma omp for schedule(dynamic, 4)
      for (std::size_t n = 0; n < cells.size(); ++n)
        out[n] = refine(HostLanes(), cells[n], thread_flow);
    }
    return true;
  };
  walk_forward(levels, first, problem.mission.last, "refining", progress, true, refine_level);
  return refined;
}

}  // namespace tidewise

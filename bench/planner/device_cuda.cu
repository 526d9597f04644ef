#include "base/error.h"
#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "bench/planner/device.h"
#include "solver/induction/device_level_solver.h"

namespace tidewise {
namespace {

void collect(DeviceLevelSolver& solver, PolicySink* sink) {
  const SolvedLevel solved = solver.collect();
  if (solved.flow_refused) throw RunError("bench planner: the device refuses the flow");
  if (sink == nullptr) return;
  for (std::size_t n = solved.leg.size(); n-- > 0;) {
    sink->accept(n, solved.level, solved.leg[n].action, solved.leg[n].value);
  }
}

}  // namespace

double solve_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                       const Mission& mission, Engine engine, PolicySink* sink, KeepRows rows) {
  DeviceLevelSolver solver(problem.info(), {actions, mission, problem.rule()}, engine, rows);
  wait_for_device();
  const Stopwatch watch;
  for (TimeLevel k = mission.last; k.value >= 0; --k.value) {
    if (solver.in_flight() == DeviceLevelSolver::depth()) collect(solver, sink);
    solver.submit(k, problem.on_device(k));
  }
  while (solver.in_flight() > 0) collect(solver, sink);
  const double seconds = watch.seconds();
  if (rows == KeepRows::yes) (void)solver.row_blocks();  // throws if rows are missing
  return seconds;
}

}  // namespace tidewise

#include "base/error.h"
#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "bench/missions/device.h"
#include "solver/missions/device_solver.h"
#include "solver/missions/legs.h"
#include "solver/missions/memory.h"

namespace tidewise {
namespace {

void collect(DeviceGroupSolver& solver, const GroupLegs& legs,
             const std::vector<PolicySink*>& sinks) {
  const SolvedGroupLevel solved = solver.collect();
  for (std::size_t n = sinks.empty() ? 0 : legs.of.size(); n-- > 0;) {
    const SolvedMember& one = solved.member[n];
    const auto [mission, leg] = legs.of[n];
    if (!one.value.empty()) sinks[mission]->accept(leg, solved.level, one.action, one.value);
  }
}

void back_up(DeviceGroupSolver& solver, const GroupLegs& legs,
             const std::vector<PolicySink*>& sinks) {
  if (solver.in_flight() == DeviceGroupSolver::depth()) collect(solver, legs, sinks);
  if (solver.back_up().flow_refused) {
    throw RunError("bench missions: the device refuses the flow");
  }
}

}  // namespace

double solve_group_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                             const std::vector<const Mission*>& missions, Engine engine,
                             const std::vector<PolicySink*>& sinks) {
  std::vector<GroupMember> members;
  for (const Mission* mission : missions) members.push_back({mission, nullptr});
  const GroupLegs legs(members);
  const std::size_t memory = device_memory().free / 10 * 9;
  if (members_at_once(problem.info(), problem.rule(), actions.size(), legs.missions.size(),
                      memory) < legs.missions.size()) {
    throw RunError("bench missions: the device's memory does not hold all missions at once");
  }
  DeviceGroupSolver solver(problem.info(), problem.rule(), actions, legs.missions, engine, memory,
                           legs.taken);
  wait_for_device();
  const Stopwatch watch;
  for (TimeLevel k = solver.last(); k.value >= 0; --k.value) {
    solver.count(k, problem.on_device(k));
    if (solver.awaiting_backup() == 2) back_up(solver, legs, sinks);
  }
  while (solver.awaiting_backup() > 0) back_up(solver, legs, sinks);
  while (solver.in_flight() > 0) collect(solver, legs, sinks);
  return watch.seconds();
}

}  // namespace tidewise

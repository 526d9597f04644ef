#include "planner/backend/planner_backend.h"

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "planner/error/codes.h"
#include "solver/fly/battery.h"
#include "solver/published/solve.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/legs.h"

namespace tidewise {

ReachableReport PlannerBackend::solve_from_start(const Mission& mission, PolicySink& sink,
                                                 Progress& progress) {
  // Solves all cells and passes on only those that can be reached.
  const EnvironmentReader& environment = task_.environment;
  // Each of several legs reads the levels once.
  FileLevels levels(environment, mission.via.empty() ? 0 : FileLevels::default_room);
  ReachableReport report;
  const Stopwatch stopwatch;
  const PlanningProblem problem = task_.problem(mission);
  const std::vector<ReachableCells> reach =
      LegsReachFinder(environment.info(), problem, threads_, 0, Currents::as_strong)
          .find(levels, {mission.start, mission.departure}, progress);
  report.reach_seconds = stopwatch.seconds();
  ReachSink reachable_sink(reach, environment.info().grid, sink);
  report.solve = solve(mission, nullptr, ExplicitMethod::padded, reachable_sink, progress);
  report.solve.states = 0;
  for (const ReachableCells& cells : reach) {
    report.solve.states += static_cast<std::int64_t>(cells.size());
  }
  return report;
}

SolveReport PlannerBackend::solve_as_published(const Mission& mission, ExplicitMethod method,
                                               PublishedOptions options, PolicySink& sink,
                                               Progress& progress) {
  const std::string name(to_string(method));
  if (mission.decisions.hold()) {
    throw input_error(errors::published_method_combined, name, "mission.decide_every");
  }
  if (mission.error.any()) {
    throw input_error(errors::published_method_combined, name, "vehicle.speed_error");
  }
  if (mission.margin > 0) {
    throw input_error(errors::published_method_combined, name, "planner.margin");
  }
  if (!mission.via.empty()) {
    throw input_error(errors::published_method_combined, name, "mission.via");
  }
  options.threads = threads_;
  options.subgrid_radius = task_.request.planner.subgrid_radius;
  options.block_size = task_.request.planner.block_size;
  return tidewise::solve_as_published(task_.environment, task_.problem(mission), options, sink,
                                      progress);
}

GroupReport PlannerBackend::solve_group(const std::vector<GroupMember>& members,
                                        Progress& progress) {
  const auto holds = [](const GroupMember& member) { return member.mission->decisions.hold(); };
  if (std::none_of(members.begin(), members.end(), holds)) return solve_together(members, progress);
  return solve_one_by_one(members, [&](const GroupMember& member) {
    return solve(*member.mission, nullptr, ExplicitMethod::padded, *member.sink, progress);
  });
}

ExpectedOutcome PlannerBackend::evaluate(const Mission& mission, const PolicySource& policy,
                                         Progress& progress) {
  const std::vector<MemberOutcome> outcomes = evaluate_group({{&mission, &policy}}, progress);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

std::vector<MemberFlights> PlannerBackend::fly_group(const std::vector<FlightMember>& members,
                                                     Progress& progress) {
  std::vector<FlightMember> flying = members;
  for (FlightMember& member : flying) {
    member.options.tracks = tracks_to_keep(*member.mission, member.options.tracks);
  }
  std::vector<MemberFlights> flown = fly_members(flying, progress);
  const double step = task_.environment.info().time.step;
  for (std::size_t n = 0; n < flown.size(); ++n) {
    for (Trajectory& flight : flown[n].rollout.trajectories) {
      drain(flight, *members[n].mission, step);
    }
  }
  return flown;
}

std::vector<BaselineFlights> PlannerBackend::fly_baselines(const Mission& mission,
                                                           const std::vector<BaselineSpeed>& speeds,
                                                           const RolloutOptions& options,
                                                           Progress& progress) {
  std::vector<BaselineFlights> flown = fly_controllers(mission, speeds, options, progress);
  for (BaselineFlights& flights : flown) {
    for (FlightEnd& flight : flights.ends) drain(flight, mission);
  }
  return flown;
}

RolloutResult PlannerBackend::fly(const Mission& mission, const PolicySource& policy,
                                  const RolloutOptions& options, Progress& progress) {
  std::vector<MemberFlights> flown = fly_group({{&mission, &policy, options}}, progress);
  if (flown.front().failure) std::rethrow_exception(flown.front().failure);
  return std::move(flown.front().rollout);
}

std::unique_ptr<PlannerBackend> make_planner_backend(const Backend& backend,
                                                     const PlannerTask& task) {
  return backend.kind == BackendKind::cuda ? make_device_planner(backend, task)
                                           : make_cpu_planner(backend, task);
}

}  // namespace tidewise

#include <optional>
#include <utility>

#include "env/file/file_in_error.h"
#include "planner/backend/planner_backend.h"
#include "solver/confined/file_levels.h"
#include "solver/confined/legs.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/fly/battery.h"
#include "solver/legs/legs.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

class CpuPlanner final : public PlannerBackend {
 public:
  CpuPlanner(std::int32_t threads, const PlannerTask& task) : PlannerBackend(threads, task) {}

  SolveReport solve(const Mission& mission, const ModelFile* model, ExplicitMethod /*method*/,
                    PolicySink& sink, Progress& progress) override {
    const EnvironmentReader& environment = task().environment;
    if (model != nullptr) {
      return solve_backward(environment, task().problem(mission), threads(),
                            model->counts(environment.info(), threads()), sink, progress);
    }
    return solve_mission(environment, task().problem(mission), options(), sink, progress);
  }

  ConfinedReport solve_from_start(const Mission& mission,
                                  const std::function<PolicySink&(std::size_t leg)>& sink_of,
                                  Progress& progress) override {
    FileLevels levels(task().environment);
    std::vector<ConfinedPolicy> policies;
    ConfinedReport report = with_file_in_error(task().environment, [&] {
      return solve_legs_from(task().environment.info(), task().problem(mission), options(), levels,
                             {mission.start, mission.departure}, 0, Currents::as_strong, policies,
                             progress);
    });
    report.solve.read_seconds = levels.waited_seconds();
    for (std::size_t leg = policies.size(); leg-- > 0;) {
      give_all_levels(policies[leg], task().environment.info().grid, mission.last, sink_of(leg));
    }
    return report;
  }

  SolveReport solve_in_subdomains(const Mission& mission, Communicator& communicator,
                                  PolicySink* sink, Progress& progress) override {
    return tidewise::solve_in_subdomains(task().environment, task().problem(mission), options(),
                                         communicator, sink, progress);
  }

  GroupReport solve_group(const std::vector<GroupMember>& members, Progress& progress) override {
    return solve_missions(task().environment, task().rule, task().actions, members, options(),
                          progress);
  }

  ExpectedOutcome evaluate(const Mission& mission, const PolicySource& policy,
                           Progress& progress) override {
    return evaluate_policy(task().environment, task().problem(mission), policy, threads(),
                           progress);
  }

  std::vector<MemberOutcome> evaluate_group(const std::vector<EvaluationMember>& members,
                                            Progress& progress) override {
    return evaluate_policies(task().environment, task().rule, task().actions, members, threads(),
                             progress);
  }

  std::vector<MemberFlights> fly_members(const std::vector<FlightMember>& members,
                                         Progress& progress) override {
    return fly_policies(task().environment, task().rule, task().actions, members, progress);
  }

  std::vector<BaselineFlights> fly_rules(const Mission& mission, const std::vector<double>& speeds,
                                         const RolloutOptions& options,
                                         Progress& progress) override {
    return tidewise::fly_baselines(task().environment, mission, speeds, options, progress);
  }

  RefinedPolicy refine(const Mission& mission, const PolicySource& policy,
                       const StatesToRefine* states, RefinementOptions options,
                       Progress& progress) override {
    options.threads = threads();
    return refine_policy(task().environment, task().problem(mission), policy, states, options,
                         progress);
  }

 private:
  PlannerOptions options() const {
    return {.engine = task().file.planner.engine,
            .threads = threads(),
            .subgrid_radius = task().file.planner.subgrid_radius};
  }
};

}  // namespace

std::unique_ptr<PlannerBackend> make_cpu_planner(const Backend& backend, const PlannerTask& task) {
  return std::make_unique<CpuPlanner>(backend.threads, task);
}

ConfinedReport PlannerBackend::solve_from_start(
    const Mission& mission, const std::function<PolicySink&(std::size_t leg)>& sink_of,
    Progress& progress) {
  // All cells, of which those that can be come to are handed on.
  const EnvironmentReader& environment = task_.environment;
  // Each leg looks at the levels once.
  FileLevels levels(environment, mission.via.empty() ? 0 : FileLevels::usual_room);
  ConfinedReport report;
  const std::vector<ReachableCells> reach =
      find_legs_reach(environment.info(), task_.problem(mission), {.threads = threads_}, levels,
                      {mission.start, mission.departure}, 0, Currents::as_strong, report, progress);
  std::optional<ReachSink> within;
  report.solve = solve_legs(
      mission,
      [&](const Mission& leg, PolicySink& sink) {
        return solve(leg, nullptr, ExplicitMethod::padded, sink, progress);
      },
      [&](std::size_t leg) -> PolicySink& {
        return within.emplace(reach[leg], environment.info().grid, sink_of(leg));
      });
  report.solve.states = 0;
  for (const ReachableCells& of_leg : reach) {
    report.solve.states += static_cast<std::int64_t>(of_leg.size());
  }
  return report;
}

std::vector<MemberFlights> PlannerBackend::fly_group(const std::vector<FlightMember>& members,
                                                     Progress& progress) {
  std::vector<MemberFlights> flown = fly_members(members, progress);
  const double step = task_.environment.info().time.step;
  for (std::size_t n = 0; n < flown.size(); ++n) {
    for (Trajectory& flight : flown[n].rollout.trajectories) {
      drain(flight, *members[n].mission, step);
    }
  }
  return flown;
}

std::vector<BaselineFlights> PlannerBackend::fly_baselines(const Mission& mission,
                                                           const std::vector<double>& speeds,
                                                           const RolloutOptions& options,
                                                           Progress& progress) {
  std::vector<BaselineFlights> flown = fly_rules(mission, speeds, options, progress);
  for (BaselineFlights& of_rule : flown) {
    for (FlightEnd& flight : of_rule.ends) drain(flight, mission);
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

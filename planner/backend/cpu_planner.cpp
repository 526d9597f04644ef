#include <optional>
#include <utility>

#include "env/file/file_in_error.h"
#include "planner/backend/planner_backend.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/published/solve.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/solver.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

class CpuPlanner final : public PlannerBackend {
 public:
  CpuPlanner(std::int32_t threads, const PlannerTask& task) : PlannerBackend(threads, task) {}

  SolveReport solve(const Mission& mission, const ModelFile* model, ExplicitMethod method,
                    PolicySink& sink, Progress& progress) override {
    const EnvironmentReader& environment = task().environment;
    if (is_published(method)) return solve_as_published(mission, method, {}, sink, progress);
    if (model != nullptr) {
      return solve_backward(environment, task().problem(mission), threads(),
                            model->counts(environment.info(), threads()), sink, progress);
    }
    return solve_mission(environment, task().problem(mission), options(), sink, progress);
  }

  ReachableReport solve_from_start(const Mission& mission, PolicySink& sink,
                                   Progress& progress) override {
    FileLevels levels(task().environment);
    std::vector<ReachablePolicy> policies;
    const PlanningProblem problem = task().problem(mission);
    ReachableReport report = with_file_in_error(task().environment, [&] {
      return ReachableSolver(task().environment.info(), problem, options(), 0, Currents::as_strong)
          .solve(levels, {mission.start, mission.departure}, policies, progress);
    });
    report.solve.read_seconds = levels.waited_seconds();
    for (std::size_t leg = policies.size(); leg-- > 0;) {
      give_all_levels(policies[leg], leg, task().environment.info().grid, mission.last, sink);
    }
    return report;
  }

  SolveReport solve_in_subdomains(const Mission& mission, Communicator& communicator,
                                  PolicySink* sink, Progress& progress) override {
    return tidewise::solve_in_subdomains(task().environment, task().problem(mission), options(),
                                         communicator, sink, progress);
  }

  GroupReport solve_together(const std::vector<GroupMember>& members, Progress& progress) override {
    return solve_missions(task().environment, task().rule, task().actions, members, options(),
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

  std::vector<BaselineFlights> fly_controllers(const Mission& mission,
                                               const std::vector<BaselineSpeed>& speeds,
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
    return {.engine = task().request.planner.engine,
            .threads = threads(),
            .subgrid_radius = task().request.planner.subgrid_radius};
  }
};

}  // namespace

std::unique_ptr<PlannerBackend> make_cpu_planner(const Backend& backend, const PlannerTask& task) {
  return std::make_unique<CpuPlanner>(backend.threads, task);
}

}  // namespace tidewise

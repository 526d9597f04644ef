#include <utility>

#include "planner/backend/planner_backend.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

class CpuPlanner final : public PlannerBackend {
 public:
  CpuPlanner(std::int32_t threads, const PlannerTask& task) : threads_(threads), task_(task) {}

  SolveReport solve(const Mission& mission, const ModelFile* model, ExplicitMethod /*method*/,
                    PolicySink& sink, Progress& progress) override {
    const EnvironmentReader& environment = task_.environment;
    if (model != nullptr) {
      return solve_backward(environment, task_.problem(mission), threads_,
                            model->counts(environment.info(), threads_), sink, progress);
    }
    return solve_mission(environment, task_.problem(mission), options(), sink, progress);
  }

  SolveReport solve_in_subdomains(const Mission& mission, Communicator& communicator,
                                  PolicySink* sink, Progress& progress) override {
    return tidewise::solve_in_subdomains(task_.environment, task_.problem(mission), options(),
                                         communicator, sink, progress);
  }

  GroupReport solve_group(const std::vector<GroupMember>& members, Progress& progress) override {
    return solve_missions(task_.environment, task_.rule, task_.actions, members, options(),
                          progress);
  }

  ExpectedOutcome evaluate(const Mission& mission, const PolicySource& policy,
                           Progress& progress) override {
    return evaluate_policy(task_.environment, task_.problem(mission), policy, threads_, progress);
  }

  std::vector<MemberOutcome> evaluate_group(const std::vector<EvaluationMember>& members,
                                            Progress& progress) override {
    return evaluate_policies(task_.environment, task_.rule, task_.actions, members, threads_,
                             progress);
  }

  std::vector<MemberFlights> fly_group(const std::vector<FlightMember>& members,
                                       Progress& progress) override {
    return fly_policies(task_.environment, task_.rule, task_.actions, members, progress);
  }

  std::vector<BaselineFlights> fly_baselines(const Mission& mission,
                                             const std::vector<double>& speeds,
                                             const RolloutOptions& options,
                                             Progress& progress) override {
    return tidewise::fly_baselines(task_.environment, mission, speeds, options, progress);
  }

  RefinedPolicy refine(const Mission& mission, const PolicySource& policy,
                       const StatesToRefine* states, RefinementOptions options,
                       Progress& progress) override {
    options.threads = threads_;
    return refine_policy(task_.environment, task_.problem(mission), policy, states, options,
                         progress);
  }

 private:
  PlannerOptions options() const {
    return {.engine = task_.file.planner.engine,
            .threads = threads_,
            .subgrid_radius = task_.file.planner.subgrid_radius};
  }

  std::int32_t threads_;
  PlannerTask task_;
};

}  // namespace

std::unique_ptr<PlannerBackend> make_cpu_planner(const Backend& backend, const PlannerTask& task) {
  return std::make_unique<CpuPlanner>(backend.threads, task);
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

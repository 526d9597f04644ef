#include "base/memory/without_cuda.h"

#include "solver/evaluate/device_evaluation.h"
#include "solver/explicit/launch.h"
#include "solver/fly/device_baselines.h"
#include "solver/fly/device_rollout.h"
#include "solver/induction/device_induction.h"
#include "solver/missions/group.h"
#include "solver/published/device_model.h"
#include "solver/reachable/device_solver.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {

std::unique_ptr<DeviceReachableSolver> make_device_reachable_solver(const EnvironmentInfo&,
                                                                    const PlanningProblem&, Engine,
                                                                    const DeviceLevelsInMemory&) {
  refuse_without_cuda();
}
std::size_t DeviceReachableSolver::size(const EnvironmentInfo&, TimeLevel, TimeLevel) {
  refuse_without_cuda();
}

std::vector<MemberOutcome> evaluate_policies_on_device(DeviceEnvironment&, const PositionRule&,
                                                       const std::vector<Action>&,
                                                       const std::vector<EvaluationMember>&,
                                                       std::int32_t, Progress&, std::size_t) {
  refuse_without_cuda();
}

class DevicePublishedModel::Implementation {};
DevicePublishedModel::DevicePublishedModel(const PublishedProblem&, PublishedMemory, std::int32_t,
                                           const PaperBlocks&, std::size_t, std::int32_t) {
  refuse_without_cuda();
}
DevicePublishedModel::~DevicePublishedModel() = default;
void DevicePublishedModel::build(const PublishedLevel&) { refuse_without_cuda(); }
void DevicePublishedModel::clear() { refuse_without_cuda(); }
void DevicePublishedModel::finish() { refuse_without_cuda(); }
std::size_t DevicePublishedModel::entries() const { refuse_without_cuda(); }
PublishedMatrices DevicePublishedModel::matrices(std::int32_t) const { refuse_without_cuda(); }
const PublishedMatrices& DevicePublishedModel::on_host(std::int32_t) const {
  refuse_without_cuda();
}
void DevicePublishedModel::back_up(std::int32_t, PublishedProduct, const OutcomeRule&,
                                   View<const float>, View<float>, View<std::int16_t>) {
  refuse_without_cuda();
}
const DeviceStream& DevicePublishedModel::stream() const { refuse_without_cuda(); }

ExplicitLaunch plan_launch(const DeviceCompactLevel&, std::int32_t) { refuse_without_cuda(); }
void launch_find_outcomes(const FindOutcomes&, const DeviceStream&) { refuse_without_cuda(); }
void launch_back_up(const ExplicitLaunch&, const ExplicitRule&, const PackedView&, View<float>,
                    View<std::int16_t>, const DeviceStream&) {
  refuse_without_cuda();
}
void launch_look_up(const LookUpRow&, const DeviceStream&) { refuse_without_cuda(); }
void launch_choose_action(const ExplicitRule&, std::int32_t, View<const float>, View<const float>,
                          View<float>, View<std::int16_t>, const DeviceStream&) {
  refuse_without_cuda();
}

std::vector<MemberFlights> fly_policies_on_device(DeviceEnvironment&, const PositionRule&,
                                                  const std::vector<Action>&,
                                                  const std::vector<FlightMember>&, Progress&) {
  refuse_without_cuda();
}

std::vector<BaselineFlights> fly_baselines_on_device(DeviceEnvironment&, const Mission&,
                                                     const std::vector<BaselineSpeed>&,
                                                     const RolloutOptions&, Progress&) {
  refuse_without_cuda();
}

SolveReport solve_mission_on_device(DeviceEnvironment&, const PlanningProblem&,
                                    const PlannerOptions&, PolicySink&, Progress&,
                                    std::exception_ptr*) {
  refuse_without_cuda();
}

GroupReport solve_missions_on_device(DeviceEnvironment&, const PositionRule&,
                                     const std::vector<Action>&, const std::vector<GroupMember>&,
                                     const PlannerOptions&, Progress&) {
  refuse_without_cuda();
}

RefinedPolicy refine_policy_on_device(DeviceEnvironment&, const PlanningProblem&,
                                      const PolicySource&, const StatesToRefine*,
                                      const RefinementOptions&, Progress&, std::size_t) {
  refuse_without_cuda();
}

std::unique_ptr<SubdomainPass> make_device_pass(
    const SharedMission&, const std::vector<RowWindow>&, const LevelBudget&,
    // NOLINTNEXTLINE(performance-unnecessary-value-param)
    std::shared_ptr<DeviceHaloExchange>) {
  refuse_without_cuda();
}

}  // namespace tidewise

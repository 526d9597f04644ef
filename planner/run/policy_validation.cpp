#include "planner/run/policy_validation.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "planner/error/codes.h"
#include "solver/induction/non_terminal_states.h"

namespace tidewise {

std::string validate_own_environment(const PolicyFile& policy, PlanningContext& planning) {
  const EnvironmentReader& environment = planning.environment();
  policy.require_match(environment.info(), environment.path());
  const std::string& recorded = policy.environment_fingerprint();
  if (recorded.empty()) {
    return fmt::format(
        "{}: does not record what environment it was planned on, as earlier versions left it; "
        "{} may have changed since: plan again to be sure",
        policy.path().string(), environment.path().string());
  }
  if (recorded == planning.environment_fingerprint()) return {};
  throw input_error(errors::environment_changed, policy.path().string(),
                    environment.path().string());
}

namespace {

/// Refuses a start outside the cells that a replanned policy covers.
void require_start_within(const PolicyFile& policy, const MissionProblem& run) {
  const Mission& mission = run.mission;
  const auto start = static_cast<std::size_t>(mission.start.value);
  std::vector<float> value(static_cast<std::size_t>(policy.grid().cell_count()));
  policy.read_value(mission.departure, value);
  if (!std::isnan(value[start]) || mission.target[start] != 0) return;
  throw input_error(errors::policy_unknown_at_start, policy.path().string(), mission.start_x,
                    mission.start_y, mission.departure.value);
}

/// Refuses a mission that decides at other levels than the policy was planned for.
void require_decisions(const PolicyFile& policy, const MissionProblem& run) {
  const Decisions& planned = policy.decisions();
  const Mission& mission = run.mission;
  if (planned.every != mission.decisions.every) {
    throw input_error(errors::policy_hold_differs, policy.path().string(), planned.every,
                      mission.decisions.every);
  }
  const std::int32_t steps_late = planned.since(mission.departure);
  if (steps_late == 0) return;
  const std::int32_t before = mission.departure.value - steps_late;
  throw input_error(errors::policy_departure_phase, run.request.place("mission.departure"),
                    mission.departure.value, planned.phase.value, planned.every,
                    before < 0 ? "" : fmt::format("{} or ", before), before + planned.every);
}

}  // namespace

void validate_policy(const PolicyFile& policy, const MissionProblem& run,
                     PlannedHere planned_here) {
  policy.validate();
  policy.require_actions(run.actions);
  const std::size_t legs = run.mission.via.size() + 1;
  if (policy.leg_count() != legs) {
    throw input_error(errors::policy_leg_count, policy.path().string(), policy.leg_count(), legs);
  }
  require_decisions(policy, run);
  if (policy.extent() == PolicyExtent::from_start) {
    require_start_within(policy, run);
    return;
  }
  if (planned_here == PlannedHere::no) return;
  const OpenStates states = count_open_states(run.environment(), run.mission, policy);
  if (states.without_action == 0) return;
  throw input_error(errors::policy_actions_missing, policy.path().string(), states.without_action,
                    states.count);
}

}  // namespace tidewise

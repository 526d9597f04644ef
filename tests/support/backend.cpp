#include "support/backend.h"

#include <cstring>

#include "base/progress.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/fly/device_baselines.h"
#include "solver/fly/device_rollout.h"
#include "solver/step/planning_problem.h"

namespace tidewise::test {
namespace {

constexpr std::size_t budget = std::size_t{64} << 20;  // device memory for levels [B]

}  // namespace

RolloutResult fly_on(Backend backend, const EnvironmentReader& environment,
                     const PlanningProblem& problem, const PolicySource& policy,
                     const RolloutOptions& options) {
  SilentProgress progress;
  if (backend == Backend::cpu) return fly(environment, problem, policy, options, progress);
  DeviceEnvironment device_environment(environment, budget);
  const std::vector<FlightMember> members{{&problem.mission, &policy, options}};
  auto flights =
      fly_policies_on_device(device_environment, problem.rule, problem.actions, members, progress);
  if (flights.front().failure) std::rethrow_exception(flights.front().failure);
  return std::move(flights.front().rollout);
}

std::vector<BaselineFlights> fly_baselines_on(Backend backend, const EnvironmentReader& environment,
                                              const Mission& mission,
                                              const std::vector<BaselineSpeed>& speeds,
                                              const RolloutOptions& options) {
  SilentProgress progress;
  if (backend == Backend::cpu) {
    return fly_baselines(environment, mission, speeds, options, progress);
  }
  DeviceEnvironment device_environment(environment, budget);
  return fly_baselines_on_device(device_environment, mission, speeds, options, progress);
}

ExpectedOutcome evaluate_on(Backend backend, const EnvironmentReader& environment,
                            const PlanningProblem& problem, const PolicySource& policy,
                            std::int32_t threads) {
  SilentProgress progress;
  if (backend == Backend::cpu) {
    return evaluate_policy(environment, problem, policy, threads, progress);
  }
  DeviceEnvironment device_environment(environment, budget);
  const auto outcomes =
      evaluate_policies_on_device(device_environment, problem.rule, problem.actions,
                                  {{&problem.mission, &policy}}, threads, progress, 0);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress, const CountLevel& count) {
  const auto outcomes =
      evaluate_policies(environment, problem.rule, problem.actions, {{&problem.mission, &policy}},
                        threads, progress, {}, count);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

bool same_bits(const ExpectedOutcome& a, const ExpectedOutcome& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_bits(const RolloutResult& a, const RolloutResult& b) {
  if (a.mode != b.mode || a.departure != b.departure) return false;
  if (a.trajectories.size() != b.trajectories.size()) return false;
  for (std::size_t n = 0; n < a.trajectories.size(); ++n) {
    const Trajectory& s = a.trajectories[n];
    const Trajectory& t = b.trajectories[n];
    if (s.realization != t.realization || s.outcome != t.outcome ||
        std::memcmp(&s.total_reward, &t.total_reward, sizeof s.total_reward) != 0 ||
        s.points.size() != t.points.size() || s.passed != t.passed ||
        std::memcmp(s.points.data(), t.points.data(), s.points.size() * sizeof(TrajectoryPoint)) !=
            0) {
      return false;
    }
  }
  return true;
}

bool same_bits(const std::vector<BaselineFlights>& a, const std::vector<BaselineFlights>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t controller = 0; controller < a.size(); ++controller) {
    if (a[controller].baseline != b[controller].baseline ||
        a[controller].speed != b[controller].speed ||
        a[controller].ends.size() != b[controller].ends.size()) {
      return false;
    }
    for (std::size_t n = 0; n < a[controller].ends.size(); ++n) {
      const FlightEnd& s = a[controller].ends[n];
      const FlightEnd& t = b[controller].ends[n];
      if (s.realization != t.realization || s.outcome != t.outcome || s.time != t.time ||
          s.energy != t.energy || s.harvested != t.harvested || s.total_reward != t.total_reward) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace tidewise::test

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

constexpr std::size_t budget = std::size_t{64} << 20;  // of device memory for levels [B]

}  // namespace

RolloutResult fly_on(Backend backend, const EnvironmentReader& environment,
                     const PlanningProblem& problem, const PolicySource& policy,
                     const RolloutOptions& options) {
  SilentProgress progress;
  if (backend == Backend::cpu) return fly(environment, problem, policy, options, progress);
  DeviceEnvironment there(environment, budget);
  const std::vector<FlightMember> one{{&problem.mission, &policy, options}};
  auto flown = fly_policies_on_device(there, problem.rule, problem.actions, one, progress);
  if (flown.front().failure) std::rethrow_exception(flown.front().failure);
  return std::move(flown.front().rollout);
}

std::vector<BaselineFlights> fly_baselines_on(Backend backend, const EnvironmentReader& environment,
                                              const Mission& mission,
                                              const std::vector<BaselineSpeed>& speeds,
                                              const RolloutOptions& options) {
  SilentProgress progress;
  if (backend == Backend::cpu) {
    return fly_baselines(environment, mission, speeds, options, progress);
  }
  DeviceEnvironment there(environment, budget);
  return fly_baselines_on_device(there, mission, speeds, options, progress);
}

ExpectedOutcome evaluate_on(Backend backend, const EnvironmentReader& environment,
                            const PlanningProblem& problem, const PolicySource& policy,
                            std::int32_t threads) {
  SilentProgress progress;
  if (backend == Backend::cpu) {
    return evaluate_policy(environment, problem, policy, threads, progress);
  }
  DeviceEnvironment there(environment, budget);
  const auto outcomes = evaluate_policies_on_device(
      there, problem.rule, problem.actions, {{&problem.mission, &policy}}, threads, progress, 0);
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
  for (std::size_t rule = 0; rule < a.size(); ++rule) {
    if (a[rule].baseline != b[rule].baseline || a[rule].speed != b[rule].speed ||
        a[rule].ends.size() != b[rule].ends.size()) {
      return false;
    }
    for (std::size_t n = 0; n < a[rule].ends.size(); ++n) {
      const FlightEnd& s = a[rule].ends[n];
      const FlightEnd& t = b[rule].ends[n];
      if (s.realization != t.realization || s.outcome != t.outcome || s.time != t.time ||
          s.energy != t.energy || s.harvested != t.harvested || s.total_reward != t.total_reward) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace tidewise::test

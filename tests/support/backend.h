#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/rollout.h"
#include "solver/induction/level_solver.h"
#include "solver/step/planning_problem.h"
#include "support/device.h"
#include "tidewise/policy.h"

namespace tidewise::test {

/// A backend, with the number of CPU threads that it uses.
struct ThreadedBackend {
  Backend backend = Backend::cpu;
  std::int32_t threads = 1;
};

inline constexpr ThreadedBackend threaded_backends[] = {
    {Backend::cpu, 1}, {Backend::cpu, 2}, {Backend::cpu, 3}, {Backend::cuda, 1}};

inline std::string name_of(const ThreadedBackend& threaded) {
  return threaded.backend == Backend::cuda ? "cuda"
                                           : "cpu_threads_" + std::to_string(threaded.threads);
}

/// Evaluates one policy by evaluate_policies(). Errors: that policy's failure.
ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress,
                                const CountLevel& count = {});

/// Run fly(), fly_baselines() and evaluate_policy() on a backend, which must be available.
RolloutResult fly_on(Backend backend, const EnvironmentReader& environment,
                     const PlanningProblem& problem, const PolicySource& policy,
                     const RolloutOptions& options);
std::vector<BaselineFlights> fly_baselines_on(Backend backend, const EnvironmentReader& environment,
                                              const Mission& mission,
                                              const std::vector<BaselineSpeed>& speeds,
                                              const RolloutOptions& options = {});
ExpectedOutcome evaluate_on(Backend backend, const EnvironmentReader& environment,
                            const PlanningProblem& problem, const PolicySource& policy,
                            std::int32_t threads = 1);

/// True if every bit is equal.
bool same_bits(const ExpectedOutcome& a, const ExpectedOutcome& b);
bool same_bits(const RolloutResult& a, const RolloutResult& b);
bool same_bits(const std::vector<BaselineFlights>& a, const std::vector<BaselineFlights>& b);

}  // namespace tidewise::test

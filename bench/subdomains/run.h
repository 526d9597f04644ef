#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel/communicator.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "solver/induction/device_level_solver.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Whether what a run finds is summed up, which takes longer than the run.
enum class SumUp { no, yes };

/// One pass of one band over levels that lie on its device.
struct SubdomainRun {
  std::chrono::steady_clock::time_point begun;
  std::chrono::steady_clock::time_point ended;  ///< when the last level had come to the host
  std::vector<SubdomainTimes> times;            ///< (step): L−1 … 0
  /// Of all levels' actions and values, the sum of the bands' being the same however rows are
  /// divided; 0 where it was not asked for.
  std::uint64_t checksum = 0;
};

/// Runs on the current device, together with the other ranks' bands. `info`, the mission
/// and the levels are those of the band's window. Errors: RunError in a build without CUDA, or
/// where a step leads farther than the halo.
SubdomainRun run_subdomain(const EnvironmentInfo& info, const PlanningProblem& problem,
                           const std::function<LevelView(TimeLevel)>& on_device,
                           const SubdomainWork& subdomain, Communicator& rank, SumUp sum_up);

}  // namespace tidewise

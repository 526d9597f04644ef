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

/// yes: compute a checksum of the results, which takes longer than the run.
enum class SumUp { no, yes };

/// One pass of one band over levels in its device's memory.
struct SubdomainRun {
  std::chrono::steady_clock::time_point begun;
  std::chrono::steady_clock::time_point
      ended;                          ///< time at which the last level had arrived on the host
  std::vector<SubdomainTimes> times;  ///< (step): L−1 … 0
  /// Checksum of all levels' actions and values; 0 if not requested. The sum over the bands does
  /// not depend on the division of rows.
  std::uint64_t checksum = 0;
};

/// Runs a band on the current device, together with the other ranks' bands. `info`, the mission and
/// the levels are those of the band's window. Errors: RunError in a build without CUDA, or if a
/// step moves farther than the halo.
SubdomainRun run_subdomain(const EnvironmentInfo& info, const PlanningProblem& problem,
                           const std::function<LevelView(TimeLevel)>& on_device,
                           const SubdomainWork& subdomain, Communicator& rank, SumUp sum_up);

}  // namespace tidewise

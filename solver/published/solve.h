#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/pass/solve_report.h"
#include "solver/policy/policy.h"
#include "solver/published/device_model.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Resources of a solve by the published method.
struct PublishedOptions {
  std::optional<PublishedMemory> on_device;  ///< kernels of the current GPU; absent: the plain loop
  std::int32_t threads = 1;
  std::int32_t subgrid_radius = 0;  ///< minimum radius of the neighbouring sub-grid [cells]
  std::int32_t block_size = 64;     ///< threads per block of K_TRANSITION
  std::size_t device_memory = 0;    ///< see DevicePublishedModel [B]
};

/// Backward induction by the published method. Each level is backed up as soon as its P and R are
/// built, so only one level is in memory. PublishedMemory::host and the plain loop back up on the
/// host. All options give the same bits. Errors: those of reading, PublishedProblem and
/// DevicePublishedModel.
SolveReport solve_as_published(const EnvironmentReader& environment, const PlanningProblem& problem,
                               const PublishedOptions& options, PolicySink& sink,
                               Progress& progress);

}  // namespace tidewise

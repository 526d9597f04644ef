#pragma once

#include <optional>
#include <vector>

#include "app/batch/file/batch_file.h"
#include "app/batch/file/batch_mission.h"
#include "app/batch/pass/worker.h"
#include "app/batch/run.h"
#include "app/batch/share.h"
#include "planner/backend/backend.h"

namespace tidewise {

/// A batch as requested, with all checks that need no environment.
struct BatchSetup {
  BatchFile file;
  std::vector<BatchMission> missions;
  std::vector<WorkerResources> workers;  ///< one entry per worker
  Backend backend;                       ///< backend of the first worker
  std::optional<BatchShare> share;       ///< missions of this process, if not all
  std::optional<std::int64_t> memory;  ///< maximum memory for the policies of a pass [B], if given
};

/// Reads and validates a batch. Errors: InputError for an invalid request, file or mission, for a
/// missing environment (unless a batch is resumed: its finished missions need none), and for a GPU
/// that cannot be used.
BatchSetup set_up_batch(const BatchRequest& request);

/// Host memory that the policies of one pass may take [B].
std::size_t memory_for_policies(const BatchSetup& setup);

}  // namespace tidewise

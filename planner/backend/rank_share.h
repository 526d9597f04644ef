#pragma once

#include <cstdint>
#include <string>

#include "base/parallel/communicator.h"
#include "planner/mission/request.h"

namespace tidewise {

/// The cores of its host that a rank may use.
struct CoreShare {
  std::int32_t threads =
      1;                   ///< for this rank: its cores, divided between the ranks that share them
  std::int32_t bound = 1;  ///< cores that the ranks of this host may run on together
  std::int32_t available = 1;  ///< cores that the ranks could run on if they were not bound

  /// Advice about idle cores; empty if there are none.
  std::string warning() const;
};

/// Called by all ranks. By default mpirun binds each rank to a core or a socket.
CoreShare share_cores(Communicator& communicator);

/// The mission as this rank computes it: its share of threads if the mission names no number, and a
/// GPU of its own. The ranks of a host take the GPUs of planner.devices in turn, or all GPUs from
/// planner.device on.
RunRequest for_this_rank(RunRequest request, const Communicator& communicator,
                         std::int32_t threads);

}  // namespace tidewise

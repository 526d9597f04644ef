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

/// Returns the share of the calling rank. All ranks must call it. By default mpirun binds each rank
/// to a core or a socket.
CoreShare share_cores(Communicator& communicator);

/// Returns the request of this rank: `threads` threads, unless the mission sets their number, and
/// one GPU. The ranks of a host take the GPUs of planner.devices in turn, or all GPUs from
/// planner.device on.
RunRequest for_this_rank(RunRequest request, const Communicator& communicator,
                         std::int32_t threads);

}  // namespace tidewise

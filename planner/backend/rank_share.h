#pragma once

#include <cstdint>
#include <string>

#include "base/parallel/communicator.h"
#include "planner/mission/request.h"

namespace tidewise {

/// What of its host's cores a rank may take.
struct CoreShare {
  std::int32_t threads =
      1;                   ///< for this rank: its cores, divided between the ranks that share them
  std::int32_t bound = 1;  ///< cores that the ranks of this host may run on between them
  std::int32_t there = 1;  ///< cores that they could run on if nobody had bound them to some

  /// What to do about cores that lie idle; empty where none do.
  std::string warning() const;
};

/// Called by all ranks. mpirun binds each rank to a core or a socket unless it is told otherwise.
CoreShare share_cores(Communicator& communicator);

/// A mission as this rank computes it: with so many threads where the mission names no number, and
/// on a GPU of its own, the ranks of a host taking them in turn: those of planner.devices, or all
/// there are from planner.device on.
RunRequest for_this_rank(RunRequest request, const Communicator& communicator,
                         std::int32_t threads);

}  // namespace tidewise

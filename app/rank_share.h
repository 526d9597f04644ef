#pragma once

#include <cstdint>

#include "app/mission_file.h"
#include "base/communicator.h"

namespace tidewise {

/// How many cores this rank may take: those that it may run on, divided between the ranks of its
/// host that may run on the same ones; ≥ 1. Called by all ranks.
std::int32_t share_cores(Communicator& communicator);

/// A mission as this rank computes it: with so many threads where the mission names no number, and
/// on a GPU of its own, the ranks of a host taking them in turn: those of planner.devices, or all
/// there are from planner.device on.
MissionFile for_this_rank(MissionFile mission, const Communicator& communicator,
                          std::int32_t threads);

}  // namespace tidewise

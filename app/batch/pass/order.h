#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/batch/pass/plan.h"

namespace tidewise {

/// A mission as a worker gets it.
struct OrderedMission {
  std::size_t index = 0;
  RunRequest request;
};

/// One counting pass as a worker gets it, complete in itself: missions that share a solve together.
struct PassOrder {
  std::vector<std::vector<OrderedMission>> solves;
  std::int64_t levels = 0;  ///< levels of the longest mission, L + 1
  PolicyFiles policies = PolicyFiles::all;
  std::size_t tracks = 0;   ///< maximum number of flights in a trajectories.nc
  std::size_t waiting = 0;  ///< memory in which levels may wait to be written [B]
  std::string last_error;   ///< why a worker gave it back; empty at first

  std::size_t missions() const;
  /// Levels of work that it is worth to the bar.
  std::int64_t work() const;
};

PassOrder make_order(const CountingPass& pass, const std::vector<BatchMission>& missions,
                     PolicyFiles policies, std::size_t tracks);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/batch/pass/plan.h"

namespace tidewise {

/// A mission of a pass.
struct PassMission {
  std::size_t index = 0;  ///< number in the batch, from 0
  RunRequest request;
};

/// A counting pass with all that a worker needs; missions are grouped by the solve that they share.
struct PassRequest {
  std::vector<std::vector<PassMission>> solves;
  std::int64_t levels = 0;  ///< levels of the longest mission, L + 1
  PolicyFiles policies = PolicyFiles::all;
  std::size_t tracks = 0;   ///< maximum number of flights in a trajectories.nc
  std::size_t waiting = 0;  ///< memory in which levels may wait to be written [B]
  std::string last_error;   ///< why a worker returned it; empty at first

  std::size_t missions() const;  ///< number of missions
  /// The work of the pass for the progress bar, in levels.
  std::int64_t work() const;
};

/// The request for a planned pass.
PassRequest make_pass_request(const CountingPass& pass, const std::vector<BatchMission>& missions,
                              PolicyFiles policies, std::size_t tracks);

}  // namespace tidewise

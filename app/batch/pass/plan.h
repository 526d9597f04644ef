#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "planner/backend/backend.h"
#include "planner/backend/problem_estimate.h"

namespace tidewise {

/// Numbers of missions that differ only in start, departure and rollout, and so share a solve; the
/// leader comes first.
using SharedSolve = std::vector<std::size_t>;

/// Solves that share the transition counts of every level: they have one environment, one set of
/// actions and one planner.
struct CountingPass {
  std::vector<SharedSolve> solves;
  std::int64_t levels = 0;  ///< levels of the longest mission, L + 1
  double memory = 0;        ///< host memory for the policies [B]
  double waiting = 0;       ///< part of `memory` for levels that wait to be written [B]
  double disk = 0;          ///< upper bound of the disk space [B]
  double seconds = 0;       ///< expected time [s]
  std::size_t missions() const;
};

/// A mission that cannot be run.
struct MissionFailure {
  std::size_t mission;
  std::string reason;
};

/// The work of a batch.
struct BatchPlan {
  std::vector<CountingPass> passes;
  std::vector<MissionFailure> failures;  ///< found while planning, before anything is run
  double greatest_memory = 0;            ///< host memory for all data of one pass [B]
  std::size_t solves() const;
  std::size_t missions() const;
};

/// Maximum memory of the flights of a group of missions, unless one mission needs more [B]. One
/// group is simulated while others wait to be written or are written.
constexpr double flight_group_memory = 512.0 * (1u << 20);

/// The limits of a pass.
struct PassLimits {
  std::size_t memory = 0;        ///< for the policies of a pass [B]; a pass has at least one solve
  std::size_t workers = 1;       ///< passes are divided until each worker has one
  std::size_t max_solves = 256;  ///< maximum per pass, which limits open files
  /// Maximum number of flights in a trajectories.nc.
  std::size_t tracks = std::numeric_limits<std::size_t>::max();
};

/// Groups the missions in `chosen`: opens each environment once and validates its missions. Invalid
/// missions, also those of an invalid environment, are in `failures` and are no errors.
BatchPlan plan_batch(const std::vector<BatchMission>& missions,
                     const std::vector<std::size_t>& chosen, const PassLimits& limits,
                     const Backend& backend, PolicyFiles policies);

/// The keys that missions must share to share transition counts, as a text for comparison.
std::string counting_key(const RunRequest& request);
/// The keys that missions must share to share a solve, given that they share their counts.
std::string solve_key(const RunRequest& request, const Mission& mission);

}  // namespace tidewise

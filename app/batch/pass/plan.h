#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "planner/backend/backend.h"
#include "planner/backend/problem_estimate.h"

namespace tidewise {

/// Missions that differ only in start, departure and rollout: one solve, separate flights. Numbers
/// of missions, the leading one first.
using SharedSolve = std::vector<std::size_t>;

/// Solves that share every level's counts: one environment, one set of actions, one planner.
struct CountingPass {
  std::vector<SharedSolve> solves;
  std::int64_t levels = 0;  ///< of the longest mission, L + 1
  double memory = 0;        ///< of the host, for the policies [B]
  double waiting = 0;       ///< the part of it in which levels wait to be written
  double disk = 0;          ///< at most [B]
  double seconds = 0;       ///< expected
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
  double greatest_memory = 0;            ///< of the host, for one pass and all it needs [B]
  std::size_t solves() const;
  std::size_t missions() const;
};

/// Maximum memory of the flights of missions that go together, unless one mission needs more [B].
/// Some fly while others wait to be written or are written.
constexpr double flight_group_memory = 512.0 * (1u << 20);

/// The limits of a pass.
struct PassLimits {
  std::size_t memory = 0;        ///< for the policies of a pass [B]; one is always taken
  std::size_t workers = 1;       ///< passes are divided until each worker has one
  std::size_t max_solves = 256;  ///< files open at once
};

/// Groups the missions in `chosen`: opens each environment once and validates its missions. Invalid
/// missions are in `failures`. Errors: none for a single mission or environment.
BatchPlan plan_batch(const std::vector<BatchMission>& missions,
                     const std::vector<std::size_t>& chosen, const PassLimits& limits,
                     const Backend& backend, PolicyFiles policies);

/// The keys that missions must share to share transition counts, as a text for comparison.
std::string counting_key(const RunRequest& request);
/// The keys that missions must share to share a solve, given that they share their counts.
std::string solve_key(const RunRequest& request, const Mission& mission);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "planner/backend/backend.h"
#include "planner/backend/problem_estimate.h"

namespace tidewise {

/// Missions that differ in start, departure and rollout alone: solved once, flown each. Numbers of
/// missions, the first one leads.
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

/// What a batch has to do.
struct BatchPlan {
  std::vector<CountingPass> passes;
  std::vector<MissionFailure> failures;  ///< found on the way, before anything is run
  double greatest_memory = 0;            ///< of the host, for one pass and all it needs [B]
  std::size_t solves() const;
  std::size_t missions() const;
};

/// Flights of missions that go together take no more, unless one mission's alone do [B]. Some are
/// flown while others wait to be written and are written.
constexpr double flight_group_memory = 512.0 * (1u << 20);

/// What bounds a pass.
struct PassLimits {
  std::size_t memory = 0;         ///< for the policies of a pass [B]; one is always taken
  std::size_t workers = 1;        ///< passes are divided until each worker has one
  std::size_t most_solves = 256;  ///< files open at once
};

/// Groups the missions whose numbers are in `chosen`: opens every environment once and judges each
/// mission against it. What cannot be run is in `failures`. Errors: none of a mission's or an
/// environment's own.
BatchPlan plan_batch(const std::vector<BatchMission>& missions,
                     const std::vector<std::size_t>& chosen, const PassLimits& limits,
                     const Backend& backend, PolicyFiles policies);

/// What missions have in common that can share counts, as a text to compare.
std::string counting_key(const RunRequest& request);
/// What missions have in common that can share a solve, where their counts are shared.
std::string solve_key(const RunRequest& request, const Mission& mission);

}  // namespace tidewise

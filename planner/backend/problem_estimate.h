#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/environment_info.h"
#include "planner/backend/backend.h"
#include "planner/mission/request.h"
#include "solver/fly/rollout.h"

namespace tidewise {

/// The size of a planning problem.
struct Workload {
  const EnvironmentInfo& info;
  std::int64_t actions = 0;
  std::int64_t open_states = 0;  ///< states that need a decision
  std::int64_t levels = 0;       ///< L + 1
  std::int64_t flights = 0;      ///< number of flights of the rollout
  std::int64_t landings = 0;     ///< maximum number of cells that a state's actions lead to
  std::int64_t path_cells = 0;   ///< number of cells that the longest step crosses in the grid
  std::int64_t held = 0;         ///< held_actions()
};

/// Number of flights that a mission requests.
std::int64_t flight_count(const RunRequest& request, const std::vector<std::int32_t>& realizations);

/// Number of flights that `options` request.
std::int64_t flight_count(const RolloutOptions& options);

/// Maximum memory of flights until their file is written, if no flight ends early [B]. `tracks`:
/// that of RolloutOptions.
double estimate_flight_memory(std::int64_t flights, std::int64_t steps,
                              std::size_t tracks = RolloutOptions().tracks);
constexpr double max_flight_memory = 16.0 * (1u << 30);  // 16 GiB [bytes]

/// Errors: InputError if the flights of a mission of `steps` steps could exceed max_flight_memory.
void require_flights_fit(const RunRequest& request, const std::vector<std::int32_t>& realizations,
                         std::int64_t steps);

/// Number of actions with an action hold, counted separately for each leg; 0: the mission decides
/// at each level.
std::int64_t held_actions(const Mission& mission, std::size_t actions);

/// Memory of an action hold [B]: for each cell and action, its value while solving or its
/// probability while evaluating, whichever takes more. `phases`: number of phases that are solved
/// together (Decisions::for_all_departures).
double estimate_held_memory(const Grid& grid, std::int64_t held, std::int32_t phases = 1);

/// Errors: InputError when a mission has an action hold that does not fit into the free memory.
void require_held_fit(const RunRequest& request, const Mission& mission, const Grid& grid,
                      std::size_t actions);

/// Rough estimate of the host memory of a plan at its peak [B]: levels in use, values and policy,
/// flights. The rows that a mission planned by itself keeps (PolicyStore) are not included.
std::int64_t estimate_memory(const Workload& work, BackendKind backend);
/// Rough estimate of the seconds for solving and evaluating, at the rates of a machine of 2024.
double estimate_seconds(const Workload& work, Engine engine, const Backend& backend);

/// Several missions that share a counting pass.
struct GroupWorkload {
  Workload longest;           ///< workload of the longest mission
  std::int64_t solves = 0;    ///< number of policies to find
  std::int64_t missions = 0;  ///< number of missions to evaluate and fly
};
/// As estimate_seconds(), for a group: each solve after the first costs only its backups.
double estimate_group_seconds(const GroupWorkload& work, Engine engine, const Backend& backend);

/// Upper bounds of file sizes [B]: policy.h5 of levels 0 … L, and trajectories.nc with the ends of
/// `flights` flights and the points of `tracks` of them at most.
double estimate_policy_bytes(const EnvironmentInfo& info, std::int64_t levels);
double estimate_trajectory_bytes(std::int64_t flights, std::int64_t levels, std::size_t tracks);

/// Formats an estimate with few digits, such as "about 12 s".
std::string describe_seconds(double seconds);

/// Describes the memory that a plan takes, and the size of its policy.h5.
std::string describe_memory(const Workload& work, const Backend& backend);
/// Describes the time that a plan takes. `solving`: sampled seconds of the solve
/// (sampled_seconds.h).
std::string describe_time(const Workload& work, Engine engine, const Backend& backend,
                          std::optional<double> solving = {});

}  // namespace tidewise

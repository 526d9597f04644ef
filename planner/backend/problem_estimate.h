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
  std::int64_t landings = 0;     ///< cells that the actions of a state may lead to, at most
  std::int64_t way = 0;          ///< cells that the longest step crosses, within the grid
  std::int64_t held = 0;         ///< held_actions()
};

/// Number of flights that a mission requests.
std::int64_t flight_count(const RunRequest& request, const std::vector<std::int32_t>& realizations);

/// Flights that such options ask for.
std::int64_t flight_count(const RolloutOptions& options);

/// Bytes that flights take while they are held for their file, at most: as if none ended early.
double estimate_flight_memory(std::int64_t flights, std::int64_t steps);
constexpr double max_flight_memory = 16.0 * (1u << 30);  // 16 GiB [bytes]

/// Errors: InputError if the flights of a mission of `steps` steps could exceed max_flight_memory.
void require_flights_fit(const RunRequest& request, const std::vector<std::int32_t>& realizations,
                         std::int64_t steps);

/// Number of actions with an action hold, counted separately for each leg; 0: the mission decides
/// at each level.
std::int64_t held_actions(const Mission& mission, std::size_t actions);

/// Bytes that held actions take: what each is worth in each cell while solving, or the probability
/// that each carries while evaluating, whichever is more. `phases`: that are solved together
/// (Decisions::for_all_departures).
double estimate_held_memory(const Grid& grid, std::int64_t held, std::int32_t phases = 1);

/// Errors: InputError when a mission holds actions and they do not fit into what memory is free.
void require_held_fit(const RunRequest& request, const Mission& mission, const Grid& grid,
                      std::size_t actions);

/// Bytes of the host's memory that a plan takes at its peak, roughly: levels in hand, value and
/// policy, flights; without the rows that a mission planned by itself keeps (PolicyStore).
std::int64_t estimate_memory(const Workload& work, BackendKind backend);
/// Seconds that solving and evaluating take, roughly, at the rates of a machine of 2024.
double estimate_seconds(const Workload& work, Engine engine, const Backend& backend);

/// Several missions that share a counting pass.
struct GroupWorkload {
  Workload longest;           ///< workload of the longest mission
  std::int64_t solves = 0;    ///< policies to find
  std::int64_t missions = 0;  ///< to evaluate and fly
};
/// The same for a group: each solve beyond the first costs only its backups.
double estimate_group_seconds(const GroupWorkload& work, Engine engine, const Backend& backend);

/// Upper bounds of file sizes [B]: policy.h5 of levels 0 … L, and trajectories of `flights`
/// flights.
double estimate_policy_bytes(const EnvironmentInfo& info, std::int64_t levels);
double estimate_trajectory_bytes(std::int64_t flights, std::int64_t levels);

/// "about 12 s": to the digits that an estimate has.
std::string describe_seconds(double seconds);

std::string describe_memory(const Workload& work, const Backend& backend);
/// `solving`: seconds that this takes here, where they were sampled (sampled_seconds.h).
std::string describe_time(const Workload& work, Engine engine, const Backend& backend,
                          std::optional<double> solving = {});

}  // namespace tidewise

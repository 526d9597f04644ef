#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tidewise/planner.h"

/// Further results of one solve: departure times, and arrival from every cell.
namespace tidewise {

/// Levels at which to depart, and realizations in which to fly.
struct DepartureOptions {
  std::int32_t first = 0;                 ///< first level
  std::optional<std::int32_t> last = {};  ///< last level; absent: the last before the plan ends
  std::int32_t every = 1;                 ///< interval between levels
  RealizationChoice realizations = AllRealizations{};  ///< a flight in each
};

/// Flights that departed at one level.
struct Departure {
  std::int32_t level = 0;     ///< level of the departure
  double time = 0;            ///< time of departure, after level 0 [s or 1]
  RolloutStatistics flights;  ///< statistics of these flights
};

/// Flies a plan's policy from its start at each requested level at which the policy can begin.
/// Flights end with the plan, so later flights have less time. Results are in ascending order.
/// `progress` may be null. Errors: InputError if the policy can begin at none of the levels, or for
/// realizations that do not exist; exceptions of `progress`.
std::vector<Departure> departures(const Plan& plan, const DepartureOptions& options = {},
                                  Progress* progress = nullptr);

/// The model estimate of a policy from one cell and level; exact on the model. All members
/// are NaN if the cell is closed at that level.
struct Reach {
  double arrival_probability = 0;  ///< probability of reaching the target in time
  // Means over arrivals; NaN if the arrival probability is near 0.
  double time = 0;    ///< to go [s or 1]
  double energy = 0;  ///< spent from here to the target
};

/// Computes Reach for every cell and level; in a mission with via points, for its first leg. Calls
/// `take` for levels L, L−1, … 0 with the cells, (y, x), valid until it returns. With an action
/// hold (`decide_every`) the vehicle decides in the cell at the level, and then at the mission's
/// decisions. Runs on the CPU. `progress` may be null. Errors: exceptions of `progress` and `take`.
void reach(const Plan& plan,
           const std::function<void(std::int32_t level, std::span<const Reach> cells)>& take,
           Progress* progress = nullptr);

}  // namespace tidewise

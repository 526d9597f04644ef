#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tidewise/planner.h"

/// What else one solve says, without another: when to leave, and from where a plan still arrives.
namespace tidewise {

/// Which levels to leave at, and through what to fly.
struct DepartureOptions {
  std::int32_t first = 0;
  std::optional<std::int32_t> last = {};  ///< at the latest; the last before the plan ends
  std::int32_t every = 1;
  RealizationChoice realizations = AllRealizations{};
};

/// What came of flights that left at a level.
struct Departure {
  std::int32_t level = 0;
  double time = 0;  ///< of the departure, after that of level 0 [s or 1]
  RolloutStatistics flights;
};

/// Flies a plan's policy from its start at each of those levels at which the policy can be begun
/// with. Flights end with the plan, so the later the less time they have. Ascending. Errors:
/// InputError where it can be begun with at none of them, and for realizations that there are none
/// of; what `progress`, which may be null, throws.
std::vector<Departure> departures(const Plan& plan, const DepartureOptions& options = {},
                                  Progress* progress = nullptr);

/// What following a policy from a cell at a level on comes to, on the model, exactly. All NaN where
/// the cell is closed then.
struct Reach {
  double arrival_probability = 0;
  // Means of what arrives; NaN where next to nothing does.
  double time = 0;    ///< to go [s or 1]
  double energy = 0;  ///< spent from here on
};

/// Says of every cell at every level what Plan::expected() says of the start at its departure; of a
/// mission that passes places, of its first leg. `take` gets levels L, L−1, … 0, (y, x), which hold
/// until it returns. Where actions are held (`decide_every`), the vehicle decides in that cell at
/// that level and then at the mission's decisions. By the processor. Errors: what `progress`, which
/// may be null, or `take` throws.
void reach(const Plan& plan,
           const std::function<void(std::int32_t level, std::span<const Reach> cells)>& take,
           Progress* progress = nullptr);

}  // namespace tidewise

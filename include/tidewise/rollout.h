#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "tidewise/error.h"

namespace tidewise {

class Plan;

/// How a policy is flown: not at all, each flight through a realization of its own from where it
/// truly is, or as the model has it (a fresh realization at each step, from cell to cell).
enum class RolloutChoice { none, continuous, chain };

/// Realizations that are flown through: all, the first so many, or these.
struct AllRealizations {};
using RealizationChoice = std::variant<AllRealizations, std::int32_t, std::vector<std::int32_t>>;

struct FlightOptions {
  RolloutChoice mode = RolloutChoice::continuous;
  RealizationChoice realizations = AllRealizations{};
  std::int32_t flights = 10000;  ///< in chain mode
  std::uint64_t seed = 1;        ///< in chain mode
};

enum class TrajectoryOutcome : std::uint8_t {
  arrived = 0,
  obstacle = 1,
  out_of_domain = 2,
  out_of_time = 3
};

/// Where a vehicle is at one level, and what it has spent and harvested since its departure.
struct TrajectoryPoint {
  double x = 0;  ///< [m or 1]
  double y = 0;
  float heading = 0;    ///< [rad] of the action taken here; NaN at the end
  float speed = 0;      ///< [m s-1 or 1] through the water; NaN at the end
  float energy = 0;     ///< spent so far: Σ (c_f F² + c_t) Δt, the failing step included
  float harvested = 0;  ///< gained so far: Σ c_r (g + g')/2 Δt; 0 without a scalar field
};

/// One flight. Point n is at level departure + n, but the last: it is where the flight ended, and
/// when. Which is where it met the target, or the obstacle (in `chain` mode the centre of the cell
/// it was carried to), outside the domain, or wherever time ran out.
struct Trajectory {
  std::int32_t realization = 0;  ///< carried through; in `chain` mode the number of the flight
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double total_reward = 0;  ///< Σ r plus arrival reward or price of the failure: what v predicts
  std::vector<TrajectoryPoint> points;
  double last_step = 1;  ///< how much of the last step was flown: less than 1 in the middle of it

  /// When point n was passed, in steps after the departure.
  double steps_to(std::size_t n) const {
    const bool ends_early = n > 0 && n + 1 == points.size() && last_step < 1;
    return ends_early ? static_cast<double>(n - 1) + last_step : static_cast<double>(n);
  }
  /// Steps from departure to the end. Requires a point.
  double steps() const { return steps_to(points.size() - 1); }
};

/// A distribution in six numbers; all NaN when it is empty. The quantile p is the smallest value
/// that a share p of the weight does not exceed (the inverse of the empirical distribution), so it
/// is always one of the values.
struct Spread {
  double mean, min, max, p05, p50, p95;
};

/// Failed flights of each kind, counted without weights.
struct FailureCounts {
  std::int64_t obstacle = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t out_of_time = 0;
};

struct RolloutStatistics {
  std::int64_t trajectories = 0;
  double arrival_rate = 0;  ///< weighted share of flights that arrive; NaN without flights
  /// How many flights of equal weight say as much of a share, (Σ w)² / Σ w².
  double effective_flights = 0;
  Spread time = {};        ///< [s or 1] over arrived flights
  Spread energy = {};      ///< spent, over arrived flights
  Spread net_energy = {};  ///< spent less harvested, over arrived flights
  FailureCounts failures;
  double mean_total_reward = 0;    ///< over all flights: beside value_at_start
  double standard_error = 0;       ///< of mean_total_reward; NaN with fewer than two flights
  double time_standard_error = 0;  ///< of time.mean; NaN with fewer than two that arrived
};

/// All flights of one policy. Copies share them.
class Flights {
 public:
  const std::vector<Trajectory>& trajectories() const;
  const RolloutStatistics& statistics() const;

  struct Content;  ///< the library's own
  explicit Flights(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// Flies a plan's policy from its start at its departure. Errors: InputError for a realization that
/// the environment does not have and for more flights than memory holds.
Flights fly(const Plan& plan, const FlightOptions& options = {});

}  // namespace tidewise

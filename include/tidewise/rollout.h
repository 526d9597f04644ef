#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tidewise/error.h"
#include "tidewise/mission.h"
#include "tidewise/progress.h"

namespace tidewise {

class Plan;

/// How a policy is flown: not at all, each flight through a realization of its own from where it
/// truly is, or as the model has it (a fresh realization at each step, from cell to cell).
enum class RolloutChoice { none, continuous, chain };

/// Realizations that are flown through: all, the first so many, or these.
struct AllRealizations {};
using RealizationChoice = std::variant<AllRealizations, std::int32_t, std::vector<std::int32_t>>;

/// Rules that need no plan, with headings of any angle. `aim`: straight at the target's centre;
/// `crab`: along the straight line from start to target, against the cross current; `greedy`: what
/// brings the vehicle nearest to the target in a step of the current where it is. Where the mission
/// keeps to a place `aim` rests within it, `greedy` holds the vehicle at its centre as well as it
/// can, and in the place of `crab` there is `fixed`, which never turns.
enum class Baseline : std::uint8_t { aim, crab, greedy, fixed };

/// Whether they are flown beside a policy, in continuous mode.
enum class BaselineChoice { none, all };

struct FlightOptions {
  RolloutChoice mode = RolloutChoice::continuous;
  RealizationChoice realizations = AllRealizations{};
  std::int32_t flights = 10000;  ///< in chain mode
  std::uint64_t seed = 1;        ///< in chain mode
  BaselineChoice baselines = BaselineChoice::all;
  std::vector<Deadline> deadlines = {};  ///< by which to say what share has arrived
};

enum class TrajectoryOutcome : std::uint8_t {
  arrived = 0,
  obstacle = 1,
  out_of_domain = 2,
  out_of_time = 3,
  out_of_energy = 4,   ///< its battery was empty before it came there
  without_action = 5,  ///< it came to open water that the policy says nothing of
  out_of_forecast = 6  ///< it came to cells that the forecast's source says nothing of
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

/// One flight. Point n is at level departure + n, but the first, where the flight departs after its
/// level, and the last: it is where the flight ended, and when. Which is where it met the target,
/// or the obstacle (in `chain` mode the centre of the cell it was carried to), outside the domain,
/// or wherever time ran out.
struct Trajectory {
  std::int32_t realization = 0;  ///< carried through; in `chain` mode the number of the flight
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double total_reward = 0;  ///< Σ r plus arrival reward or price of the failure: what v predicts
  std::vector<TrajectoryPoint> points;
  double last_step = 1;  ///< how much of the last step was over: less than 1 in the middle of it
  double begun = 0;      ///< how much of the first step was over at the departure
  /// When the places of the mission's `via` were passed, in their order, in steps after the
  /// level of the departure; as many as were.
  std::vector<std::int32_t> passed = {};
  double energy_left = std::numeric_limits<double>::quiet_NaN();  ///< NaN without a battery
  /// Which of vehicle.profiles was dived from each point but the last; empty of one alone.
  std::vector<std::uint8_t> profiles = {};

  /// When point n was passed, in steps after the level of the departure.
  double steps_to(std::size_t n) const {
    if (n == 0) return begun;
    const bool ends_early = n + 1 == points.size() && last_step < 1;
    return ends_early ? static_cast<double>(n - 1) + last_step : static_cast<double>(n);
  }
  /// Steps from departure to the end. Requires a point.
  double steps() const { return steps_to(points.size() - 1) - begun; }
};

/// A distribution in six numbers; all NaN when it is empty. The quantile p is the smallest value
/// that a share p of the weight does not exceed (the inverse of the empirical distribution), so it
/// is always one of the values. `cvar95` is the mean of the greatest 5 % (the conditional value at
/// risk): what the worst come to, where more is worse.
struct Spread {
  double mean, min, max, p05, p50, p95, cvar95;
};

/// By when such a share of all flights has arrived, those that never do included.
struct ArrivalTime {
  double share = 0;
  double time = 0;  ///< after the departure [s or 1]; NaN where fewer arrive
};

/// What share of all flights has arrived by then.
struct DeadlineShare {
  double time = 0;  ///< after the departure [s or 1]
  double share = 0;
};

/// Failed flights of each kind, counted without weights.
struct FailureCounts {
  std::int64_t obstacle = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t out_of_time = 0;
  std::int64_t out_of_energy = 0;
  std::int64_t without_action = 0;
  std::int64_t out_of_forecast = 0;
};

/// How well flights keep to a place, those that fail on the way among them: of `stay` the share of
/// the mission's time within it, of `follow` the mean distance from it while under way [m or 1].
struct Keeping {
  bool is_distance = false;  ///< else a share of the time
  double mean = 0;
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  double standard_error = 0;  ///< of the mean; NaN with fewer than two flights
  double lasting = 0;         ///< weighted share of the flights that last until the end
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
  double mean_total_reward = 0;  ///< over all flights: beside value_at_start
  double standard_error = 0;     ///< of mean_total_reward; NaN with fewer than two flights
  // Of the means; NaN with fewer than two flights that arrived.
  double time_standard_error = 0;
  double energy_standard_error = 0;
  double net_energy_standard_error = 0;
  std::optional<Spread> energy_left;     ///< in the battery, over arrived flights; with a battery
  double reward_cvar95 = 0;              ///< mean total reward of the worst 5 % of all flights
  std::vector<ArrivalTime> arrived_by;   ///< 50, 80, 90, 95 and 99 % of all flights
  std::vector<DeadlineShare> deadlines;  ///< those that were asked for
  std::optional<Keeping> keeping;        ///< where the mission keeps to a place
  /// Whether shares of the flights may be reported as probabilities: not where the realizations
  /// carry no forecast error.
  bool has_probability = true;
  /// Least and greatest arrival_rate over the plausible sizes of a guessed forecast error; absent
  /// without a guess.
  std::optional<std::pair<double, double>> arrival_range;
};

/// What a plan is worth beside another, or a rule, in the same realizations, flight by flight; more
/// is better for the plan.
struct PlanGain {
  double arrival_rate = 0;    ///< arrivals of the plan less those of the other, as shares
  double total_reward = 0;    ///< mean of the plan's less the other's
  double standard_error = 0;  ///< of total_reward; NaN with fewer than two flights
  // Of the realizations in which both arrive: how much less the plan takes, on average; NaN where
  // there are none.
  double time = 0;  ///< [s or 1]
  double energy = 0;
  double net_energy = 0;
};

/// What one rule came to.
struct BaselineOutcome {
  Baseline baseline = Baseline::aim;
  /// The vehicle's greatest for the objective `time`, else of its speeds the one with the best mean
  /// total reward [m s-1 or 1].
  double speed = 0;
  std::string profile = {};  ///< likewise the best, of several that the vehicle dives
  RolloutStatistics rollout;
  PlanGain plan_gain;
  /// Of `fixed` the best, [rad] counter-clockwise from +x.
  double heading = std::numeric_limits<double>::quiet_NaN();
};

/// All flights of one policy. Copies share them.
class Flights {
 public:
  const std::vector<Trajectory>& trajectories() const;
  const RolloutStatistics& statistics() const;
  /// What needs no plan came to in the same realizations; empty where that was not flown.
  const std::vector<BaselineOutcome>& baselines() const;
  /// Where they do not keep what the plan promises, and where a rule that needs none does better; a
  /// line each.
  const std::vector<std::string>& warnings() const;

  struct Content;  ///< the library's own
  explicit Flights(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// Flies a plan's policy from its start at its departure. Errors: InputError for a realization that
/// the environment does not have and for more flights than memory holds; what `progress`, which may
/// be null, throws.
Flights fly(const Plan& plan, const FlightOptions& options = {}, Progress* progress = nullptr);

}  // namespace tidewise

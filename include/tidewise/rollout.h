#pragma once

#include <cmath>
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

/// Kind of simulation of a policy. `none`: no simulation. `continuous`: each flight has its own
/// realization and keeps its exact position. `chain`: as in the model, from cell to cell, with a
/// new realization at each step.
enum class RolloutChoice { none, continuous, chain };

/// Choice of the realizations to fly in: all, the first n, or those with these numbers.
struct AllRealizations {};
using RealizationChoice = std::variant<AllRealizations, std::int32_t, std::vector<std::int32_t>>;

/// Baseline controllers, which need no plan; their headings can have any angle. `aim`: straight at
/// the target's centre. `crab`: along the straight line from start to target, compensating the
/// cross current. `greedy`: the heading that brings the vehicle nearest to the target in a step of
/// the current at its position. For station keeping and target following, `aim` rests within the
/// target, `greedy` holds the vehicle as near to its centre as it can, and `fixed`, a constant
/// heading, replaces `crab`.
enum class Baseline : std::uint8_t { aim, crab, greedy, fixed };

/// Baseline controllers that also fly, in continuous mode.
enum class BaselineChoice { none, all };

/// Options of simulated flights.
struct FlightOptions {
  RolloutChoice mode = RolloutChoice::continuous;      ///< kind of simulation
  RealizationChoice realizations = AllRealizations{};  ///< in continuous mode
  std::int32_t flights = 10000;                        ///< number of flights in chain mode
  std::uint64_t seed = 1;                              ///< seed of the random numbers in chain mode
  BaselineChoice baselines = BaselineChoice::all;      ///< controllers to compare with
  std::vector<Deadline> deadlines = {};  ///< times for which the share of arrivals is reported
};

/// The end of a flight. Result files store these numbers.
enum class TrajectoryOutcome : std::uint8_t {
  arrived = 0,         ///< reached the target
  obstacle = 1,        ///< hit an obstacle
  out_of_domain = 2,   ///< left the grid
  out_of_time = 3,     ///< was late
  out_of_energy = 4,   ///< the battery ran empty before the arrival
  without_action = 5,  ///< reached open water for which the policy has no action
  out_of_forecast = 6  ///< entered cells that the forecast does not cover
};

/// State of a vehicle at one level, with the energy spent and harvested since its departure.
struct TrajectoryPoint {
  double x = 0;  ///< [m or 1]
  double y = 0;  ///< [m or 1]
  /// [rad] counter-clockwise from +x, of the action taken at this point; NaN at the end.
  float heading = 0;
  float speed = 0;      ///< [m s-1 or 1] through the water; NaN at the end
  float energy = 0;     ///< spent so far: Σ (c_f F² + c_t) Δt, the failing step included
  float harvested = 0;  ///< gained so far: Σ c_r (g + g')/2 Δt; 0 without a scalar field
};

/// One flight. Point n is at level departure + n, except the first (a flight may depart after its
/// level) and the last, which is the end of the flight: where it reached the target or hit the
/// obstacle (in `chain` mode the centre of the cell that it entered), a point outside the domain,
/// or its position when time ran out.
struct Trajectory {
  /// Number of the realization; in `chain` mode the number of the flight.
  std::int32_t realization = 0;
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;  ///< the end of the flight
  double total_reward = 0;  ///< Σ r plus arrival reward or failure penalty; v is its expected value
  /// Positions from departure to end.
  std::vector<TrajectoryPoint> points;
  /// Completed part of the last step, in (0, 1]; below 1 if the flight ended within it.
  double last_step = 1;
  double begun = 0;  ///< part of the first step that was over at departure, in [0, 1)
  /// Times at which the via points were passed, in their order [steps after the level of the
  /// departure]; only those that were passed.
  std::vector<std::int32_t> passed = {};
  /// Energy in the battery; NaN without a battery.
  double energy_left = std::numeric_limits<double>::quiet_NaN();
  /// Index into vehicle.profiles of the dive from each point except the last; empty if there is one
  /// profile.
  std::vector<std::uint8_t> profiles = {};
  /// Number of points before the last that were not kept; 0 if all points were.
  std::int32_t skipped = 0;

  /// True if all points were kept. Other flights have only the departure, without heading and
  /// speed, and the end.
  bool has_track() const {
    return skipped == 0 && !(points.size() > 1 && std::isnan(points[0].heading));
  }

  /// Time of point n [steps after the level of the departure].
  double steps_to(std::size_t n) const {
    if (n == 0) return begun;
    if (n + 1 < points.size()) return static_cast<double>(n);
    return static_cast<double>(whole_steps() - 1) + (last_step < 1 ? last_step : 1);
  }
  /// Number of steps of the flight; the last one counts whole.
  std::int32_t whole_steps() const {
    return static_cast<std::int32_t>(points.size()) - 1 + skipped;
  }
  /// Steps from departure to the end. Requires at least one point.
  double steps() const { return steps_to(points.size() - 1) - begun; }
};

/// Summary of a weighted distribution; all NaN if it is empty. Quantile p is the smallest value
/// with at least a share p of the weight at or below it (the inverse of the empirical
/// distribution), so it is always one of the values. `cvar95` is the mean of the greatest 5 %
/// (conditional value at risk): the worst cases of a quantity of which more is worse.
struct Spread {
  double mean, min, max, p05, p50, p95, cvar95;
};

/// Time by which a share of all flights has arrived; flights that fail count in the total.
struct ArrivalTime {
  double share = 0;  ///< share of all flights, in (0, 1]
  double time = 0;   ///< after the departure [s or 1]; NaN if fewer arrive
};

/// Share of all flights that have arrived by a time.
struct DeadlineShare {
  double time = 0;   ///< after the departure [s or 1]
  double share = 0;  ///< weighted share of arrivals
};

/// Number of failed flights of each kind, unweighted; see TrajectoryOutcome.
struct FailureCounts {
  std::int64_t obstacle = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t out_of_time = 0;
  std::int64_t out_of_energy = 0;
  std::int64_t without_action = 0;
  std::int64_t out_of_forecast = 0;
};

/// Quality of station keeping or target following, over all flights, also those that fail. `stay`:
/// share of the mission's time within the target. `follow`: mean distance from the track during the
/// flight [m or 1].
struct Keeping {
  bool is_distance = false;  ///< true: distance; false: share of the time
  double mean = 0;           ///< over the flights, weighted
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  double standard_error = 0;  ///< standard error of the mean; NaN with fewer than two flights
  double lasting = 0;         ///< weighted share of the flights that last until the end
};

/// Statistics of a set of flights. Means and shares are weighted by the realizations' weights.
struct RolloutStatistics {
  std::int64_t trajectories = 0;  ///< number of flights
  double arrival_rate = 0;        ///< weighted share of flights that arrive; NaN without flights
  /// Number of flights of equal weight with the same sampling error of a share, (Σ w)² / Σ w².
  double effective_flights = 0;
  Spread time = {};              ///< [s or 1] over arrived flights
  Spread energy = {};            ///< spent, over arrived flights
  Spread net_energy = {};        ///< spent less harvested, over arrived flights
  FailureCounts failures;        ///< flights that failed
  double mean_total_reward = 0;  ///< over all flights; estimates the value at the start
  double standard_error =
      0;  ///< standard error of mean_total_reward; NaN with fewer than two flights
  // Standard errors of the means of time, energy and net energy; NaN with fewer than two arrivals.
  double time_standard_error = 0;
  double energy_standard_error = 0;
  double net_energy_standard_error = 0;
  std::optional<Spread> energy_left;    ///< in the battery, over arrivals; absent without a battery
  double reward_cvar95 = 0;             ///< mean total reward of the worst 5 % of all flights
  std::vector<ArrivalTime> arrived_by;  ///< for 50, 80, 90, 95 and 99 % of all flights
  std::vector<DeadlineShare> deadlines;  ///< for FlightOptions::deadlines
  std::optional<Keeping> keeping;        ///< set for station keeping and target following
  /// True if shares of flights may be reported as probabilities; false if the realizations contain
  /// no forecast error.
  bool has_probability = true;
  /// Range of arrival_rate over the plausible sizes of a guessed forecast error; absent without a
  /// guess.
  std::optional<std::pair<double, double>> arrival_range;
};

/// A plan compared with another plan or a baseline controller, flight by flight in the same
/// realizations. Positive numbers favour the plan.
struct PlanGain {
  double arrival_rate = 0;    ///< difference of the arrival rates, as shares
  double total_reward = 0;    ///< mean difference of the total rewards
  double standard_error = 0;  ///< standard error of total_reward; NaN with fewer than two flights
  // Mean savings of the plan over the realizations in which both arrive; NaN if there are none.
  double time = 0;  ///< [s or 1]
  double energy = 0;
  double net_energy = 0;
};

/// Result of one baseline controller.
struct BaselineOutcome {
  Baseline baseline = Baseline::aim;  ///< the controller
  /// Its speed through the water [m s-1 or 1]: the vehicle's greatest for the objective `time`,
  /// else the one with the best mean total reward.
  double speed = 0;
  /// The profile with the best mean total reward; empty if there is one profile.
  std::string profile = {};
  RolloutStatistics rollout;  ///< statistics of its flights
  PlanGain plan_gain;         ///< the plan compared with this controller
  /// Heading of `fixed`, the best one [rad], counter-clockwise from +x; else NaN.
  double heading = std::numeric_limits<double>::quiet_NaN();
};

/// All simulated flights of one policy. Copies share the data.
class Flights {
 public:
  /// The flights; with all realizations, in their order.
  const std::vector<Trajectory>& trajectories() const;
  /// Statistics of the flights.
  const RolloutStatistics& statistics() const;
  /// Results of the baseline controllers in the same realizations; empty if they were not flown.
  const std::vector<BaselineOutcome>& baselines() const;
  /// Warnings, a line each: differences from the plan's prediction, and baseline controllers that
  /// do better than the plan.
  const std::vector<std::string>& warnings() const;

  struct Content;  ///< internal
  explicit Flights(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// Simulates a plan's policy from its start at its departure. `progress` may be null. Errors:
/// InputError for a realization that does not exist and for more flights than memory can hold;
/// exceptions of `progress`.
Flights fly(const Plan& plan, const FlightOptions& options = {}, Progress* progress = nullptr);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "solver/flight/baseline_steering.h"
#include "solver/flight/continuous_step.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_end.h"

namespace tidewise {

/// Speed and profile of baseline controllers.
struct BaselineSpeed {
  double speed = 0;          ///< through the water [m s-1 or 1]
  std::int32_t profile = 0;  ///< profile of the dives

  // NOLINTNEXTLINE(google-explicit-constructor): callers may give a speed without a profile
  BaselineSpeed(double through_water, std::int32_t dive_profile = 0)
      : speed(through_water), profile(dive_profile) {}
};

/// Flights of one baseline controller at one speed and profile, in the order of flight_numbers().
struct BaselineFlights {
  Baseline baseline = Baseline::aim;
  double speed = 0;
  std::int32_t profile = 0;
  std::vector<FlightEnd> ends;
  double heading = 0;  ///< heading of Baseline::fixed [rad]
};

/// Makes one step of one flight of any controller. Trivially copyable.
struct FlyBaselineStep {
  StepContext context;
  PlaneVector start;
  PlaneVector target;
  View<const BaselineRule> rules;
  EnsembleView ensemble;  ///< (controller, flight)

  /// Returns true if the flight is still under way.
  TIDEWISE_HOST_DEVICE bool operator()(std::size_t flight) const {
    if (ensemble.state[flight] != StepOutcome::under_way) return false;
    const std::size_t flights_of_controller = ensemble.number.size / rules.size;
    const ContinuousStep<BaselineSteering> step{
        context, {rules[flight / flights_of_controller], start, target}};
    Vehicle vehicle = ensemble.vehicle[flight];
    const StepRecord record = step(ensemble.number[flight], vehicle);
    ensemble.vehicle[flight] = vehicle;
    ensemble.state[flight] = record.outcome;
    return record.outcome == StepOutcome::under_way;
  }
};

/// Controllers of the mission at every speed, controllers outermost; Baseline::fixed at many
/// headings of each speed.
std::vector<BaselineRule> baseline_rules(const Mission& mission,
                                         const std::vector<BaselineSpeed>& speeds, double step);

/// The step of these flights with the fields of `context`.
FlyBaselineStep baseline_step(const StepContext& context, const Mission& mission,
                              View<const BaselineRule> rules, const EnsembleView& ensemble);

/// `numbers`, repeated for each of `rules` controllers.
std::vector<std::int32_t> repeated_numbers(const std::vector<std::int32_t>& numbers,
                                           std::size_t rules);

/// Ends of all flights of the mission, controller by controller. `step`: Δt [s or 1].
std::vector<BaselineFlights> baseline_ends(const std::vector<BaselineRule>& rules,
                                           const Mission& mission, const Ensemble<>& ensemble,
                                           double step);

}  // namespace tidewise

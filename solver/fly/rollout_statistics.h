#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "solver/fly/flight_end.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// An outcome that is a failure, and its counter.
struct FailureKind {
  TrajectoryOutcome outcome;
  std::int64_t FailureCounts::*count;
};
/// All failures, in the order of their codes.
inline constexpr std::array<FailureKind, 6> failure_kinds{
    {{TrajectoryOutcome::obstacle, &FailureCounts::obstacle},
     {TrajectoryOutcome::out_of_domain, &FailureCounts::out_of_domain},
     {TrajectoryOutcome::out_of_time, &FailureCounts::out_of_time},
     {TrajectoryOutcome::out_of_energy, &FailureCounts::out_of_energy},
     {TrajectoryOutcome::without_action, &FailureCounts::without_action},
     {TrajectoryOutcome::out_of_forecast, &FailureCounts::out_of_forecast}}};

/// End of each flight of a rollout, in its order.
std::vector<FlightEnd> flight_ends(const RolloutResult& rollout, const TimeAxis& time);

/// Statistics of flights. A flight through a realization has its weight if the environment has
/// weights. Flights in `chain` mode count equally, because they draw by weight. `deadlines`: times
/// after departure up to which arrivals are counted [s or 1].
RolloutStatistics summarize(const RolloutResult& rollout, const EnvironmentInfo& info,
                            const std::vector<double>& deadlines = {});
/// summarize() for the ends of flights.
RolloutStatistics summarize(const std::vector<FlightEnd>& flights, RolloutMode mode,
                            const EnvironmentInfo& info, const std::vector<double>& deadlines = {});

/// Number of flights that arrived, without weights. Not for missions that stay near a place.
std::int64_t count_arrived(const RolloutStatistics& statistics);

/// Distribution of one value of each flight; NaN is left out, the others are weighted as in
/// summarize(). Requires equal sizes.
Spread spread_over(const std::vector<FlightEnd>& flights, const std::vector<double>& values,
                   RolloutMode mode, const EnvironmentInfo& info);

/// Keeping of one flight: how well it stays near its mission's place. NaN if the flight ends at
/// once. Requires `mission.kept`.
double keeping_of(const FlightEnd& flight, const Mission& mission, const TimeAxis& time);

/// Sets the keeping statistics of a mission that stays near a place. A vehicle that is under way
/// when time is up has not failed then. Does nothing for other missions.
void set_keeping(const std::vector<FlightEnd>& flights, RolloutMode mode, const Mission& mission,
                 const EnvironmentInfo& info, RolloutStatistics& statistics);

/// Gain of a plan's flights over a baseline controller's, in continuous mode and through the same
/// realizations in the same order.
PlanGain gain_over(const std::vector<FlightEnd>& plan, const std::vector<FlightEnd>& baseline,
                   const EnvironmentInfo& info);

}  // namespace tidewise

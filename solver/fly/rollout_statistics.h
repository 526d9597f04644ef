#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "solver/fly/flight_end.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Ends that are failures, in the order of their codes, and where they are counted.
struct FailureKind {
  TrajectoryOutcome outcome;
  std::int64_t FailureCounts::*count;
};
inline constexpr std::array<FailureKind, 6> failure_kinds{
    {{TrajectoryOutcome::obstacle, &FailureCounts::obstacle},
     {TrajectoryOutcome::out_of_domain, &FailureCounts::out_of_domain},
     {TrajectoryOutcome::out_of_time, &FailureCounts::out_of_time},
     {TrajectoryOutcome::out_of_energy, &FailureCounts::out_of_energy},
     {TrajectoryOutcome::without_action, &FailureCounts::without_action},
     {TrajectoryOutcome::out_of_forecast, &FailureCounts::out_of_forecast}}};

/// How each flight of a rollout ended, in its order.
std::vector<FlightEnd> flight_ends(const RolloutResult& rollout, const TimeAxis& time);

/// Flights through a realization count for its weight where the environment has weights; flights in
/// `chain` mode, which draw by weight, count alike.
/// `deadlines`: times after the departure by which to count arrivals.
RolloutStatistics summarize(const RolloutResult& rollout, const EnvironmentInfo& info,
                            const std::vector<double>& deadlines = {});
RolloutStatistics summarize(const std::vector<FlightEnd>& flights, RolloutMode mode,
                            const EnvironmentInfo& info, const std::vector<double>& deadlines = {});

/// How many of them arrived, counted without weights. Not of flights that keep to a place.
std::int64_t count_arrived(const RolloutStatistics& flown);

/// A distribution of one value of each of the flights; those of NaN are left out, the others count
/// as in summarize(). Sizes are equal.
Spread spread_over(const std::vector<FlightEnd>& flights, const std::vector<double>& values,
                   RolloutMode mode, const EnvironmentInfo& info);

/// How well one flight keeps to its mission's place, as Keeping says it of all; NaN where it ends
/// at once, at no distance. Requires `mission.kept`.
double keeping_of(const FlightEnd& flight, const Mission& mission, const TimeAxis& time);

/// Notes how well flights of a mission that keeps to a place do so; whoever is under way when time
/// is up has not failed then. Nothing of the kind for other missions.
void note_keeping(const std::vector<FlightEnd>& flights, RolloutMode mode, const Mission& mission,
                  const EnvironmentInfo& info, RolloutStatistics& statistics);

/// Of a plan's flights and a baseline's, in continuous mode and through the same realizations in
/// the same order.
PlanGain gain_over(const std::vector<FlightEnd>& plan, const std::vector<FlightEnd>& baseline,
                   const EnvironmentInfo& info);

}  // namespace tidewise

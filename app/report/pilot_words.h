#pragma once

#include <optional>
#include <string>

#include "env/environment_info.h"
#include "output/run/recommendation.h"
#include "planner/figures/rounding.h"
#include "planner/run/flight_figures.h"
#include "solver/fly/rollout_statistics.h"
#include "tidewise/mission.h"

namespace tidewise {

// Texts for a pilot: heading, arrival and probability. Times are rounded by
// planner/figures/rounding.h.

/// A date such as "1 Nov 2024 18:56 UTC", rounded to `step` [s], a minute or more.
std::string describe_date(double seconds_since_1970, double step = 60);
/// Like describe_date(), without the year.
std::string describe_short_date(double seconds_since_1970, double step = 60);
/// Like describe_date(), with this computer's local time if that differs: "1 Nov 2024 18:56 UTC
/// (11:56 PDT)".
std::string describe_local_date(double seconds_since_1970, double step = 60);

/// A dive: "dive deep (0–1000 m)", "dive 0–180 m", "hold 1000 m (park)", "stay at the surface";
/// only the name for a profile of weights from a file.
std::string describe_dive(const EnvironmentProfile& profile);

/// An action: "heading 067° true (ENE), 0.5 m/s", "heading 124° (counter-clockwise from +x), speed
/// 1" without true north, or "drift"; then the dive, if any: ", dive deep (0–1000 m)".
std::string describe_steering(const FirstAction& action, Units units);

/// An outlook: "arrival 2 Nov 05:00 UTC (after 110 h), 90 % from 31 Oct 23:00 to 3 Nov 10:00 UTC,
/// probability 99 % (100 flights)", or "arrival after 66, 90 % from 46 to 98, probability 98.5 %
/// (200 flights)"; without probability "arrival 1 Nov 19:00 UTC (after 100 h), 9 of 9 simulated
/// missions arrive"; by the model "arrival 1 Nov 19:00 UTC (after 100 h), not simulated"; "no
/// flight arrives" or "the plan does not arrive". `begins`: the departure [s since 1970], if times
/// have dates.
std::string describe_outlook(const Outlook& outlook, std::optional<double> begins,
                             const TimeRounding& rounding, Units units);

/// An outlook of station keeping or target following: "within 2 km of the target 83 % of the time
/// (6.2 of 7.5 days)", or "1.2 km from the track on average". `radius`: radius of the target [m or
/// 1], 0: none; `time`: duration [s or 1], 0: omitted.
std::string describe_outlook(const ExpectedKeeping& keeping, double radius, double time,
                             Units units);

/// A share of a time: " (6.2 of 7.5 days)", or in hours, or in the environment's units.
std::string describe_share_of_time(double share, double time, Units units);

/// Describes flights by the lines "time to go", "arrival" and "probability", and "energy" if
/// reports_energy() or the vehicle has a battery; for station keeping and target following by "time
/// within" or "distance", and "probability". `begins`: as above.
std::string describe_flights(const RolloutStatistics& flown, std::optional<double> begins,
                             const TimeRounding& rounding, Objective objective,
                             const EnergyModel& model, Units units);

/// Text such as "; 1 hit an obstacle, 2 ran out of time"; empty if no flight failed.
std::string describe_failures(const FailureCounts& failures);

/// `text` with a capital letter at the beginning and a full stop.
std::string as_sentence(std::string text);

}  // namespace tidewise

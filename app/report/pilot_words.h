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

// The answer to a pilot: which heading, when the vehicle arrives, with what probability. Times are
// rounded by planner/figures/rounding.h.

/// "1 Nov 2024 18:56 UTC", rounded to `step` [s], a minute or more.
std::string describe_date(double seconds_since_1970, double step = 60);
/// The date without the year.
std::string describe_short_date(double seconds_since_1970, double step = 60);
/// The first with the time in this computer's own zone, where that is another: "1 Nov 2024 18:56
/// UTC (11:56 PDT)".
std::string describe_local_date(double seconds_since_1970, double step = 60);

/// "dive deep (0–1000 m)", "dive 0–180 m", "hold 1000 m (park)", "stay at the surface"; a profile
/// of a file's weights by its name.
std::string describe_dive(const EnvironmentProfile& profile);

/// "heading 067° true (ENE), 0.5 m/s", "heading 124° (counter-clockwise from +x), speed 1" where
/// there is no north, or "drift"; then the dive, if any: ", dive deep (0–1000 m)".
std::string describe_steering(const FirstAction& action, Units units);

/// "arrival 2 Nov 05:00 UTC (after 110 h), 90 % from 31 Oct 23:00 to 3 Nov 10:00 UTC, probability
/// 99 % (100 flights)", or "arrival after 66, 90 % from 46 to 98, probability 98.5 % (200
/// flights)"; without probability "arrival 1 Nov 19:00 UTC (after 100 h), 9 of 9 simulated missions
/// arrive"; by the model "arrival 1 Nov 19:00 UTC (after 100 h), not simulated"; "no flight
/// arrives" or "the plan does not arrive".
/// `begins`: when it departs [s since 1970], where times have dates.
std::string describe_outlook(const Outlook& outlook, std::optional<double> begins,
                             const TimeRounding& rounding, Units units);

/// "within 2 km of the target 83 % of the time (6.2 of 7.5 days)", or "1.2 km from the track on
/// average". `radius`: of the target [m or 1], 0: none; `time`: duration [s or 1], 0: omitted.
std::string describe_outlook(const ExpectedKeeping& keeping, double radius, double time,
                             Units units);

/// " (6.2 of 7.5 days)", or in hours, or in the environment's times.
std::string describe_share_of_time(double share, double time, Units units);

/// The lines "time to go", "arrival" and "probability" of flights, `begins` as above, and "energy"
/// where reports_energy(), or a battery holds so much; where they keep to a place "time within" or
/// "distance", and "probability".
std::string describe_flights(const RolloutStatistics& flown, std::optional<double> begins,
                             const TimeRounding& rounding, Objective objective,
                             const EnergyModel& model, Units units);

/// "; 1 hit an obstacle, 2 ran out of time"; empty if no flight failed.
std::string describe_failures(const FailureCounts& failures);

/// With a capital letter at the beginning and a full stop.
std::string as_sentence(std::string text);

}  // namespace tidewise

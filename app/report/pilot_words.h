#pragma once

#include <optional>
#include <string>

#include "env/environment_info.h"
#include "output/run/recommendation.h"
#include "planner/run/flight_figures.h"
#include "solver/fly/rollout_statistics.h"
#include "tidewise/mission.h"

namespace tidewise {

// What a pilot asks first, in a pilot's words: which way, when there, how surely.

/// "1 Nov 2024 18:56 UTC", to the nearest minute.
std::string describe_date(double seconds_since_1970);
/// The same with the time in this computer's own zone, where that is another: "1 Nov 2024 18:56 UTC
/// (11:56 PDT)".
std::string describe_local_date(double seconds_since_1970);

/// "dive deep (0–1000 m)", "hold 1000 m (park)", "stay at the surface"; a profile of a file's
/// weights by its name, depths without a name alone.
std::string describe_dive(const EnvironmentProfile& profile);

/// "steer 045° true at 0.5 m/s"; "steer 124° from +x, counter-clockwise, at 1" where there is no
/// north; "drift"; before it where to dive, "dive deep (0–1000 m), ".
std::string describe_steering(const FirstAction& action, Units units);

/// "arrive 1 Nov 18:56 UTC ± 2 h, 100 %", "arrive after 66.4 ± 32, 98.5 %" or "never arrive"; where
/// one side is more than twice the other, "arrive 1 Nov 20:50 UTC −1.8 +12 h, 100 %". Without
/// probability "arrive 1 Nov 18:56 UTC; 9 of 9 simulated missions arrive", by the model "arrive
/// 1 Nov 18:56 UTC, not simulated".
/// `begins`: when it departs [s since 1970], where times have dates.
std::string describe_outlook(const Outlook& outlook, std::optional<double> begins, Units units);

/// "within 2 km of the target 83 % of the time (6.2 of 7.5 days)", or "1.2 km from the track on
/// average". `radius`: of the target [m or 1], 0: it has none; `time`: that it lasts [s or 1], 0:
/// not said.
std::string describe_outlook(const ExpectedKeeping& keeping, double radius, double time,
                             Units units);

/// " (6.2 of 7.5 days)", or in hours, or in the environment's times.
std::string describe_share_of_time(double share, double time, Units units);

/// The lines "time to go", "arrival" and "chance" of flights, `begins` as above, and "energy" where
/// tells_energy(), or a battery holds so much; where they keep to a place "time within" or
/// "distance", and "chance".
std::string describe_flights(const RolloutStatistics& flown, std::optional<double> begins,
                             Objective objective, const EnergyModel& model, Units units);

}  // namespace tidewise

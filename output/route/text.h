#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/route/format.h"
#include "output/route/route.h"

// Shared functions of the formats: numbers, independent of the locale, and texts for comments and
// descriptions.
namespace tidewise {

inline constexpr double knots_per_metre_per_second = 3600.0 / 1852;
inline constexpr double metres_per_nautical_mile = 1852;
/// Decimals of degrees; 1e-8 is 1.1 mm.
inline constexpr int degree_decimals = 8;

/// A number with this number of decimals; never "-0.00".
std::string fixed(double value, int decimals);
/// Rounds a number to this number of decimals.
double rounded(double value, int decimals);

/// The same longitude in [−180, 180).
double wrapped_longitude(double longitude);
/// As wrapped_longitude(), rounded to degree_decimals; −180 instead of 180.
double rounded_longitude(double longitude);
std::string longitude_text(double longitude);
std::string latitude_text(double latitude);

/// Degrees · 100 + minutes, to 1e-4 minutes (0.19 m of latitude): "-12406.1200", "-000.0006". The
/// latitude is rounded to 1e-4 minutes before the division, so that there are never 60 minutes.
std::string latitude_minutes(double latitude);
/// The same for a longitude, in [−18000, 18000).
std::string longitude_minutes(double longitude);

/// "2024-10-29T12:00:00Z", to the nearest second.
std::string utc_text(double instant);
/// xsd:duration, to the nearest second: "P1DT2H0M5S", "PT0S". Requires seconds >= 0.
std::string duration_text(double seconds);

/// The text as one line of ASCII; other characters become '?'.
std::string ascii_line(std::string_view text);
/// The text with only letters, digits, '_', '-' and '.', not beginning with '.' or '-', at most 64
/// characters: for file names and words; "route" if nothing remains.
std::string portable_name(std::string_view text);

/// Notes for a person who follows the route, a line of ASCII each: its flight, that it has no
/// feedback, and the route's remarks.
std::vector<std::string> route_notes(const Route& route);
/// All notes on one line.
std::string all_notes(const Route& route);
/// All notes as comments: each line begins with `mark` and a blank and has at most 78 characters,
/// unless a word is longer.
std::string commented_notes(const Route& route, std::string_view mark);
/// Note on one waypoint, a line of ASCII: time, the leg to the next, and the arrival window.
std::string waypoint_note(const Route& route, const RouteWaypoint& waypoint);

/// "dive deep (0 to 1000 m)", "hold 500 m (park)", "stay at the surface", in ASCII.
std::string dive_text(const EnvironmentProfile& dive);
/// True if the vehicle chooses among dives, so that legs hold them.
bool chooses_dives(const Route& route);
/// A warning for each dive that has a gap between its ranges of depths, in a format whose vehicle
/// takes one range. `holder`: the setting of this range.
std::vector<std::string> gap_warnings(const Route& route, std::string_view format,
                                      std::string_view holder);

/// Radius within which waypoint `n` counts as reached [m], at least 1; the last waypoint is the
/// target.
double radius_of(const Route& route, std::size_t n);
/// The common radius of all waypoints, for vehicles that have only one, in whole metres; at
/// least RouteFormat::min_common_radius.
double one_radius_of(const Route& route, const RouteFormat& format);
/// A warning if the common radius exceeds that of the target; else empty. `end`: the effect, such
/// as "the boat ends the list".
std::string warn_of_one_radius(const Route& route, const RouteFormat& format, std::string_view end);

/// Name of a flight's outcome: "arrived", "obstacle", "out of the domain", "out of time".
std::string_view outcome_text(TrajectoryOutcome outcome);

}  // namespace tidewise

#include "output/route/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>

#include "base/printable.h"
#include "env/units/calendar_time.h"
#include "env/units/depths.h"

namespace tidewise {
namespace {

/// Degrees · 100 + minutes of a number of 1e-4 minutes.
std::string minutes_text(std::int64_t parts, bool negative) {
  constexpr std::int64_t parts_per_degree = 60 * 10000;
  const std::int64_t rest = parts % parts_per_degree;
  return fmt::format("{}{}{:02}.{:04}", negative ? "-" : "", parts / parts_per_degree, rest / 10000,
                     rest % 10000);
}

std::int64_t minute_parts(double degrees) { return std::llround(std::abs(degrees) * (60 * 10000)); }

std::string time_text(const std::optional<double>& instant, double time, Units units) {
  if (instant) return utc_text(*instant);
  return units == Units::metric ? fmt::format("{} s", fixed(time, 0))
                                : fmt::format("time {:g}", time);
}

/// A note on the radii within which waypoints count as reached, which differ from passing them.
std::string radius_note(const Route& route) {
  const char* unit = route.units == Units::metric ? " m" : "";
  return fmt::format(
      "Times are those of passing the points themselves. A waypoint counts as reached within "
      "{:.6g}{} of its point, the target within {:.6g}{}.",
      route.capture_radius, unit, route.arrival_radius, unit);
}

}  // namespace

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale + 0.0;
}

double wrapped_longitude(double longitude) {
  const double turned = longitude - 360 * std::floor((longitude + 180) / 360);
  return turned >= 180 ? turned - 360 : turned;
}

double rounded_longitude(double longitude) {
  const double value = rounded(wrapped_longitude(longitude), degree_decimals);
  return value >= 180 ? -180 : value;
}

std::string longitude_text(double longitude) {
  return fixed(rounded_longitude(longitude), degree_decimals);
}

std::string latitude_text(double latitude) { return fixed(latitude, degree_decimals); }

std::string latitude_minutes(double latitude) {
  const std::int64_t parts = minute_parts(latitude);
  return minutes_text(parts, latitude < 0 && parts > 0);
}

std::string longitude_minutes(double longitude) {
  const double value = wrapped_longitude(longitude);
  const std::int64_t parts = minute_parts(value);
  constexpr std::int64_t half_turn = std::int64_t{180} * 60 * 10000;
  return minutes_text(parts, (value < 0 && parts > 0) || parts == half_turn);
}

std::string utc_text(double instant) { return format_iso_time(instant) + "Z"; }

std::string duration_text(double seconds) {
  const std::int64_t whole_seconds = std::llround(seconds);
  if (whole_seconds < 60) return fmt::format("PT{}S", whole_seconds);
  const std::int64_t days = whole_seconds / 86400;
  return fmt::format("P{}T{}H{}M{}S", days > 0 ? fmt::format("{}D", days) : "",
                     whole_seconds / 3600 % 24, whole_seconds / 60 % 60, whole_seconds % 60);
}

std::string ascii_line(std::string_view text) {
  std::string line;
  for (const char c : on_one_line(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\t') {
      line += ' ';
    } else if (byte < 0x80) {
      line += c;
    } else if (byte >= 0xC0) {  // counts only the first byte of a character
      line += '?';
    }
  }
  return line;
}

std::string portable_name(std::string_view text) {
  constexpr std::size_t max = 64;
  std::string name;
  for (const char c : ascii_line(text)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.';
    name += is_plain ? c : '_';
  }
  name.erase(0, name.find_first_not_of(".-"));
  name.resize(std::min(name.size(), max));
  return name.empty() ? "route" : name;
}

std::vector<std::string> route_notes(const Route& route) {
  std::vector<std::string> notes;
  if (!route.description.empty()) notes.push_back(ascii_line(route.description));
  notes.push_back(
      fmt::format("By {}. A route has no feedback: unlike the policy that it comes from, it does "
                  "not answer to the currents that the vehicle meets.",
                  ascii_line(route.creator)));
  notes.push_back(radius_note(route));
  for (const std::string& remark : route.remarks) notes.push_back(ascii_line(remark));
  return notes;
}

std::string all_notes(const Route& route) {
  std::string line;
  for (const std::string& note : route_notes(route)) {
    line += (line.empty() ? "" : " ") + note;
    if (!line.empty() && line.back() != '.') line += '.';
  }
  return line;
}

std::string commented_notes(const Route& route, std::string_view mark) {
  constexpr std::size_t max = 78;
  std::string text;
  for (const std::string& note : route_notes(route)) {
    std::istringstream words(note);
    std::string line(mark);
    bool is_empty = true;
    for (std::string word; words >> word;) {
      if (!is_empty && line.size() + 1 + word.size() > max) {
        text += line + '\n';
        line = mark;
        line += ' ';  // indents continued lines
      }
      line += ' ' + word;
      is_empty = false;
    }
    text += line + '\n';
  }
  return text;
}

std::string waypoint_note(const Route& route, const RouteWaypoint& waypoint) {
  const std::string_view unit = route.units == Units::metric ? " m/s" : "";
  std::string note = std::isfinite(waypoint.time)
                         ? time_text(waypoint.instant, waypoint.time, route.units)
                         : "no flight by waypoints comes here";
  if (std::isfinite(waypoint.speed)) {
    note += fmt::format("; next leg: {}{} through the water", fixed(waypoint.speed, 3), unit);
    if (waypoint.bearing) note += fmt::format(", true course {}", fixed(*waypoint.bearing, 1));
    if (waypoint.speed_over_ground) {
      note += fmt::format(", {}{} over ground", fixed(*waypoint.speed_over_ground, 3), unit);
    }
  }
  if (waypoint.dive) note += ", " + dive_text(*waypoint.dive);
  if (waypoint.window) {
    const ArrivalWindow& window = *waypoint.window;
    note += fmt::format(
        "; {} % of the flights by waypoints come here, nine of ten of those that arrive between {} "
        "and {}",
        fixed(100 * window.share, 1), time_text(window.p05_instant, window.p05, route.units),
        time_text(window.p95_instant, window.p95, route.units));
  }
  return note;
}

std::string dive_text(const EnvironmentProfile& dive) {
  return describe_dive(ascii_line(dive.name), dive.depths, " to ");
}

bool chooses_dives(const Route& route) { return route.waypoints.front().dive.has_value(); }

std::vector<std::string> gap_warnings(const Route& route, std::string_view format,
                                      std::string_view holder) {
  std::vector<std::string> warnings;
  std::set<std::string> named;
  for (const RouteWaypoint& waypoint : route.waypoints) {
    if (!waypoint.dive || !named.insert(waypoint.dive->name).second) continue;
    const std::vector<Depths> ranges = parse_depth_ranges(waypoint.dive->depths);
    if (ranges.size() < 2) continue;
    warnings.push_back(fmt::format(
        "{}: profile {} dives {}, and {} holds one range: the comments name all ranges, "
        "and the pilot has to set each of them",
        format, ascii_line(waypoint.dive->name), describe_ranges(ranges, " to "), holder));
  }
  return warnings;
}

double radius_of(const Route& route, std::size_t n) {
  const bool is_target = n + 1 == route.waypoints.size();
  return std::max(1.0, is_target ? route.arrival_radius : route.capture_radius);
}

double one_radius_of(const Route& route, const RouteFormat& format) {
  return std::max(format.min_common_radius, std::round(route.capture_radius));
}

std::string warn_of_one_radius(const Route& route, const RouteFormat& format,
                               std::string_view end) {
  const double radius = one_radius_of(route, format);
  if (radius <= route.arrival_radius + 0.5) return {};
  return fmt::format(
      "{}: {} {} m from the target, whose own radius is {} m: all waypoints have one radius",
      format.name, end, fixed(radius, 0), fixed(route.arrival_radius, 0));
}

std::string_view outcome_text(TrajectoryOutcome outcome) {
  switch (outcome) {
    case TrajectoryOutcome::arrived:
      return "arrived";
    case TrajectoryOutcome::obstacle:
      return "obstacle";
    case TrajectoryOutcome::out_of_domain:
      return "out of the domain";
    case TrajectoryOutcome::out_of_energy:
      return "out of energy";
    case TrajectoryOutcome::without_action:
      return "without an action";
    case TrajectoryOutcome::out_of_forecast:
      return "out of the forecast";
    case TrajectoryOutcome::out_of_time:
      break;
  }
  return "out of time";
}

}  // namespace tidewise

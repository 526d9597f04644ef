#include <cmath>
#include <nlohmann/json.hpp>

#include "output/route/antimeridian.h"
#include "output/route/text.h"
#include "planner/rehearsal/rehearsal.h"
#include "solver/step/mission.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

Json as_pair(const GeographicPoint& place) {
  return Json::array(
      {rounded(place.longitude, degree_decimals), rounded(place.latitude, degree_decimals)});
}

Json as_feature(Json geometry, Json properties) {
  return {{"type", "Feature"},
          {"properties", std::move(properties)},
          {"geometry", std::move(geometry)}};
}

/// Returns a line, in pieces if it crosses 180°, or a point if there is only one place.
Json line_through(const std::vector<GeographicPoint>& places) {
  Json lines = Json::array();
  for (const auto& piece : cut_line(places)) {
    Json line = Json::array();
    for (const CutPoint& cut : piece) line.push_back(as_pair(cut.place));
    lines.push_back(std::move(line));
  }
  if (lines.size() > 1) return {{"type", "MultiLineString"}, {"coordinates", lines}};
  return lines[0].size() == 1 ? Json{{"type", "Point"}, {"coordinates", lines[0][0]}}
                              : Json{{"type", "LineString"}, {"coordinates", lines[0]}};
}

/// `member`: the member of a flight; empty if there is none.
Json track_feature(const Rehearsal& rehearsal, const RehearsalFlight& flight, const char* kind,
                   const std::string& member = "", const std::vector<std::string>& profiles = {}) {
  std::vector<GeographicPoint> places;
  Json times = Json::array();
  Json depths = Json::array();
  Json profile_names = Json::array();
  for (const RehearsalPoint& point : flight.track) {
    places.push_back(point.place);
    times.push_back(utc_text(point.time));
    if (profiles.empty()) continue;
    depths.push_back(rounded(point.depth, 1));
    profile_names.push_back(profiles[static_cast<std::size_t>(point.profile)]);
  }
  Json geometry = line_through(places);
  const bool is_one_piece = geometry["type"] != "MultiLineString";
  Json properties = {{"kind", kind},
                     {"name", flight.name},
                     {"outcome", outcome_text(flight.outcome)},
                     {"hours", rounded(flight.duration / 3600, 4)}};
  if (keeps(rehearsal.objective) && std::isfinite(flight.keeping)) {
    properties[name_of_keeping(rehearsal)] = rounded(flight.keeping, 4);
  }
  if (!member.empty()) properties["member"] = member;
  // Pieces have additional points without times.
  if (is_one_piece) properties["datetimes"] = std::move(times);
  if (is_one_piece && !profiles.empty()) {
    properties["depths"] = std::move(depths);
    properties["profiles"] = std::move(profile_names);
  }
  return as_feature(std::move(geometry), std::move(properties));
}

}  // namespace

std::string rehearsal_map(const Rehearsal& rehearsal) {
  std::string text = "{\"type\":\"FeatureCollection\",\n\"features\":[\n";
  bool first = true;
  // Writes one feature per line, as in routes.
  const auto add = [&](const Json& feature) {
    text += (first ? "" : ",\n") + feature.dump(-1, ' ', true, Json::error_handler_t::replace);
    first = false;
  };
  for (std::size_t n = 0; n < rehearsal.flights.size(); ++n) {
    add(track_feature(rehearsal, rehearsal.flights[n], "flight",
                      rehearsal.paired ? rehearsal.members[n].name : ""));
  }
  for (const RehearsalFlight& flight : rehearsal.members) {
    add(track_feature(rehearsal, flight, "rehearsal", "", rehearsal.profiles));
  }
  const auto add_point = [&](const char* kind, const GeographicPoint& place, const Json& extra) {
    Json properties{{"kind", kind}};
    properties.update(extra);
    add(as_feature({{"type", "Point"}, {"coordinates", as_pair(place)}}, std::move(properties)));
  };
  add_point("start", rehearsal.members.front().track.front().place, Json::object());
  for (const GeographicPoint& target : rehearsal.targets) {
    add_point("target", target, {{"radius", rehearsal.target_radius}});
  }
  if (!rehearsal.followed.empty()) {
    add(as_feature(line_through(rehearsal.followed), {{"kind", "followed"}}));
  }
  return text + "\n]}\n";
}

}  // namespace tidewise

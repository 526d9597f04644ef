#include "planner/view/run_facts.h"

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/units/depths.h"
#include "env/units/geographic_position.h"
#include "output/run/attributes.h"
#include "output/run/policy_description.h"
#include "output/run/summary.h"
#include "planner/error/codes.h"
#include "planner/figures/rounding.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

PlanePoint find_place(const PolicyFile& policy, const Position& position, const Json& summary,
                      const char* which) {
  if (summary.contains(which) && summary[which].is_object()) {
    const Json& place = summary[which];
    if (place.contains("x") && place.contains("y") && place["x"].is_number() &&
        place["y"].is_number()) {
      return {place["x"].get<double>(), place["y"].get<double>()};
    }
  }
  if (position.frame == Position::Frame::plane) return {position.first, position.second};
  if (describe_environment_of(policy).coordinates == Coordinates::geographic) {
    const auto point = to_plane(policy.grid(), read_longitude(policy), read_latitude(policy),
                                position.first, position.second);
    if (point) return *point;
  }
  throw input_error(errors::mission_outside_cells, policy.path().string(), which);
}

Json part_of(const Json& summary, const char* key) {
  return summary.contains(key) ? summary[key] : Json();
}

/// Returns the departure [levels], by the summary or else by the mission; −1 if it is unknown.
double find_departure(const PolicyFile& policy, const Moment& departure, const Json& summary) {
  const TimeAxis& axis = policy.time();
  const Json recorded = part_of(summary, "departure");
  if (recorded.is_object() && recorded.contains("time") && recorded["time"].is_number()) {
    return (recorded["time"].get<double>() - axis.first) / axis.step;
  }
  if (!departure.date) return departure.level;
  const auto origin = time_reference(describe_environment_of(policy).time_units, "");
  return origin ? (*departure.date - *origin - axis.first) / axis.step : -1;
}

/// Rounds a level that dates have made slightly different from a whole one.
double to_near_level(double level) {
  constexpr double tolerance = 1e-6;  // [steps]
  const double near = std::round(level);
  return std::abs(level - near) < tolerance ? near : level;
}

void require_inside(const PolicyFile& policy, const PlanePoint& point, const char* which) {
  const Grid& grid = policy.grid();
  if (grid.contains(grid.column_at(point.x), grid.row_at(point.y))) return;
  throw input_error(errors::mission_outside_cells, policy.path().string(), which);
}

/// Returns the folder's name without the path.
std::string short_name(const std::string& name) {
  namespace fs = std::filesystem;
  fs::path path = fs::absolute(name).lexically_normal();
  if (path.filename() == "policy.h5" || path.filename().empty()) path = path.parent_path();
  return path.filename().string();
}

/// Returns rings on the plane. Of rings in degrees, only vertices in the domain remain. `polygons`:
/// as in summary.json.
Json outlines_of(const PolicyFile& policy, const Json& polygons, bool geographic) {
  const auto longitude = geographic ? read_longitude(policy) : std::vector<double>();
  const auto latitude = geographic ? read_latitude(policy) : std::vector<double>();
  Json outlines = Json::array();
  for (const Json& polygon : polygons) {
    for (const Json& ring : polygon) {
      Json outline = Json::array();
      for (const Json& vertex : ring) {
        const auto first = vertex.at(0).get<double>();
        const auto second = vertex.at(1).get<double>();
        const auto point = geographic ? to_plane(policy.grid(), longitude, latitude, first, second)
                                      : std::optional<PlanePoint>({first, second});
        if (point) outline.push_back({point->x, point->y});
      }
      outlines.push_back(std::move(outline));
    }
  }
  return outlines;
}

/// Adds the shape of a place: several points, or the outlines of an area.
Json with_shape(const PolicyFile& policy, Json described, const Json& target) {
  try {
    if (target.is_object() && target.contains("points")) {
      for (const Json& point : target["points"]) {
        described["points"].push_back({point.at("x").get<double>(), point.at("y").get<double>()});
      }
    }
    for (const char* key : {"polygons", "polygons_lonlat"}) {
      if (!target.is_object() || !target.contains(key)) continue;
      described["outlines"] =
          outlines_of(policy, target[key], std::string_view(key) == "polygons_lonlat");
    }
  } catch (const Json::exception& error) {
    throw input_error(errors::summary_places_unreadable, policy.path().string(), error.what());
  }
  return described;
}

Json describe_target(const PolicyFile& policy, const MissionPlaces& places, const Json& target) {
  return with_shape(
      policy, {{"x", places.target.x}, {"y", places.target.y}, {"radius", places.target_radius}},
      target);
}

/// Describes a via point of summary.json.
Json describe_via(const PolicyFile& policy, const Json& via) {
  Json described;
  try {
    described = {{"x", via.at("x").get<double>()},
                 {"y", via.at("y").get<double>()},
                 {"radius", via.value("radius", 0.0)}};
  } catch (const Json::exception& error) {
    throw input_error(errors::summary_places_unreadable, policy.path().string(), error.what());
  }
  return with_shape(policy, std::move(described), via);
}

}  // namespace

MissionPlaces find_places(const PolicyFile& policy, const RunRequest& request,
                          const Json& summary) {
  MissionPlaces places;
  places.start = find_place(policy, request.goal.start, summary, "start");
  const bool follows = request.goal.objective ==
                       Objective::follow;  // the summary has the target; else the start is used
  places.target =
      find_place(policy, follows ? request.goal.start : request.goal.target, summary, "target");
  places.target_radius = request.goal.target_radius.value_or(0);
  places.departure = to_near_level(find_departure(policy, request.goal.departure, summary));
  require_inside(policy, places.start, "start");
  require_inside(policy, places.target, "target");
  if (!(places.departure >= 0 && places.departure < policy.last_level().value)) {
    throw input_error(errors::departure_after_last_level, policy.path().string());
  }
  return places;
}

Json describe_run_to_view(const std::string& name, const PolicyFile& policy,
                          const RunRequest& request, const MissionPlaces& places,
                          const Json& summary) {
  const EnvironmentInfo info = describe_environment_of(policy);
  const auto origin = time_reference(info.time_units, "");
  Json facts{
      {"name", short_name(name)},
      {"environment", {{"file", request.environment.filename().string()}, {"title", info.title}}},
      {"has_probability", supports_probability(uncertainty_in(summary))},
      {"metric", info.units == Units::metric},
      {"objective", std::string(to_string(request.goal.objective))},
      {"value_units", value_units(policy)},
      {"energy_units", energy_units(request.goal.energy, info.units)},
      {"time",
       {{"first", policy.time().first},
        {"step", policy.time().step},
        {"level_count", policy.time().level_count},
        {"origin", origin ? Json(*origin) : Json()}}},
      {"start", {{"x", places.start.x}, {"y", places.start.y}}}};
  const Json target = describe_target(policy, places, part_of(summary, "target"));
  if (request.goal.objective == Objective::follow) {  // along the points of its summary
    facts["followed"] = target.value("points", Json::array());
  } else {
    facts["target"] = target;
  }
  const Decisions& decisions = policy.decisions();
  if (decisions.hold() && !decisions.for_all_departures) {
    facts["decide_every"] = {{"steps", decisions.every}, {"level", decisions.phase.value}};
  }
  Json& actions = facts["actions"] = Json::array();
  for (const Action& action : policy.actions()) {
    actions.push_back({action.heading, action.speed, action.profile});
  }
  for (const EnvironmentProfile& profile : policy.profiles()) {
    Json ranges = Json::array();
    for (const Depths& range : parse_depth_ranges(profile.depths)) {
      ranges.push_back({range.from, range.to});
    }
    facts["profiles"].push_back({{"name", profile.name}, {"ranges", ranges}});
  }
  Json& summary_facts = facts["summary"] = Json::object();
  if (summary.is_object() && summary.contains("via")) {
    for (const Json& via : summary["via"]) facts["via"].push_back(describe_via(policy, via));
  }
  for (const char* key : {"value_at_start", "expected", "rollout", "baselines", "planned_on",
                          "arrival_at_least", "notes", "warnings"}) {
    summary_facts[key] = part_of(summary, key);
  }
  const Json rollout = part_of(summary, "rollout");
  const Json error = rollout.is_object() ? part_of(rollout, "time_standard_error") : Json();
  const bool has_error = error.is_number() && facts["has_probability"].get<bool>();
  const TimeRounding rounding =
      round_times(has_error ? error.get<double>() : 0, policy.time().step, info.units);
  facts["rounding"] = {{"median", rounding.median}, {"quantile", rounding.quantile}};
  // Omits a path of this computer, which the page's reader does not have.
  if (summary_facts["planned_on"].is_object()) {
    summary_facts["planned_on"] =
        std::filesystem::path(text_in(summary_facts["planned_on"], "environment"))
            .filename()
            .string();
  }
  return facts;
}

}  // namespace tidewise

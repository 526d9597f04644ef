#include "output/run/summary.h"

#include <cmath>

#include "base/file/atomic_file.h"
#include "base/file/text_file.h"
#include "base/nesting.h"
#include "env/file/uncertainty_words.h"
#include "env/units/calendar_time.h"
#include "output/json_number.h"
#include "output/version.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// "2024-10-28T15:00:00Z"; null for no instant.
Json date(double seconds_since_1970) {
  if (!std::isfinite(seconds_since_1970)) return nullptr;
  return format_iso_time(seconds_since_1970) + "Z";
}

using Instant = std::optional<double>;  // [s since 1970]

Json expected_json(const ExpectedOutcome& expected, const Instant& departure) {
  if (!std::isnan(expected.within)) return {{"within", json_number(expected.within)}};
  if (!std::isnan(expected.distance)) return {{"distance", json_number(expected.distance)}};
  Json json{{"arrival_probability", json_number(expected.arrival_probability)},
            {"time", json_number(expected.time)},
            {"energy", json_number(expected.energy)},
            {"net_energy", json_number(expected.net_energy)}};
  if (departure) json["arrival_date"] = date(*departure + expected.time);
  return json;
}

Json keeping_json(const Keeping& keeping) {
  return {{"mean", json_number(keeping.mean)},
          {"p10", json_number(keeping.p10)},
          {"p50", json_number(keeping.p50)},
          {"p90", json_number(keeping.p90)},
          {"standard_error", json_number(keeping.standard_error)},
          {"lasting", json_number(keeping.lasting)}};
}

Json point_json(const RunPoint& point) {
  Json json{{"x", json_number(point.x)}, {"y", json_number(point.y)}};
  if (point.longitude) json["lon"] = json_number(*point.longitude);
  if (point.latitude) json["lat"] = json_number(*point.latitude);
  return json;
}

/// A place, and the points or polygons that define it.
Json place_json(const RunPoint& point, const RunArea& area) {
  Json json = point_json(point);
  if (!area.points.empty()) {
    for (const RunPoint& other : area.points) json["points"].push_back(point_json(other));
  }
  if (!area.polygons.empty()) {
    json[area.geographic ? "polygons_lonlat" : "polygons"] = area.polygons;
  }
  if (!area.points.empty() || !area.polygons.empty()) json["cells"] = area.cells;
  return json;
}

Json followed_json(const RunFollowed& followed) {
  Json json{{"kind", followed_kind(followed)}, {"points", followed.fixes}};
  if (!followed.moves) return json;
  json.update(
      Json{{"time_column", followed.column}, {"from", followed.first}, {"to", followed.last}});
  return json;
}

Json spread_json(const Spread& spread);

Json via_json(const RunVia& via) {
  Json json = place_json(via.point, via.area);
  if (via.radius > 0) json["radius"] = json_number(via.radius);
  json["cells"] = via.area.cells;
  if (via.passed_share) json["passed"] = {{"share", json_number(*via.passed_share)}};
  if (via.passed_time) json["passed"]["time"] = spread_json(*via.passed_time);
  return json;
}

Json level_json(std::int32_t level, double time, const Instant& instant) {
  Json json{{"level", level}, {"time", json_number(time)}};
  if (instant) json["date"] = date(*instant);
  return json;
}

Json planned_on_json(const PlannedOn& planned_on) {
  return {{"policy", planned_on.policy},
          {"environment", planned_on.environment},
          {"value_at_start", json_number(planned_on.value_at_start)},
          {"open_states", planned_on.states.count},
          {"open_states_without_action", planned_on.states.without_action}};
}

Json replanned_from_json(const ReplannedFrom& from) {
  Json json{{"policy", from.policy}, {"environment", from.environment}};
  if (!from.tracks.empty()) json["tracks"] = from.tracks;
  if (from.passed > 0) json["passed"] = from.passed;
  json["states"] = from.states;
  return json;
}

Json spread_json(const Spread& spread) {
  return {{"mean", json_number(spread.mean)},    {"min", json_number(spread.min)},
          {"max", json_number(spread.max)},      {"p05", json_number(spread.p05)},
          {"p50", json_number(spread.p50)},      {"p95", json_number(spread.p95)},
          {"cvar95", json_number(spread.cvar95)}};
}

Json dates_json(const Spread& time, double departure) {
  return {{"mean", date(departure + time.mean)}, {"min", date(departure + time.min)},
          {"max", date(departure + time.max)},   {"p05", date(departure + time.p05)},
          {"p50", date(departure + time.p50)},   {"p95", date(departure + time.p95)}};
}

Json risk_json(const RolloutStatistics& rollout, const Instant& departure) {
  const auto moment = [&](double time) {
    Json json{{"time", json_number(time)}};
    if (departure) json["date"] = date(*departure + time);
    return json;
  };
  Json arrived_by = Json::array();
  for (const auto& [share, time] : rollout.arrived_by) {
    arrived_by.push_back({{"share", share}});
    arrived_by.back().update(moment(time));
  }
  Json deadlines = Json::array();
  for (const auto& [time, share] : rollout.deadlines) {
    deadlines.push_back(moment(time));
    deadlines.back()["share"] = json_number(share);
  }
  return {{"arrived_by", std::move(arrived_by)},
          {"deadlines", std::move(deadlines)},
          {"total_reward_cvar95", json_number(rollout.reward_cvar95)}};
}

/// Statistics of flights of any mode.
Json flights_json(const RolloutStatistics& rollout, const Instant& departure) {
  Json failures = Json::object();
  for (const FailureKind& kind : failure_kinds) {
    failures[std::string(to_string(kind.outcome))] = rollout.failures.*kind.count;
  }
  Json json{{"trajectories", rollout.trajectories},
            {"arrival_rate", json_number(rollout.arrival_rate)},
            {"time", spread_json(rollout.time)},
            {"time_standard_error", json_number(rollout.time_standard_error)},
            {"energy", spread_json(rollout.energy)},
            {"net_energy", spread_json(rollout.net_energy)},
            {"failures", std::move(failures)},
            {"mean_total_reward", json_number(rollout.mean_total_reward)},
            {"standard_error", json_number(rollout.standard_error)},
            {"risk", risk_json(rollout, departure)}};
  if (rollout.energy_left) json["energy_left"] = spread_json(*rollout.energy_left);
  if (rollout.keeping) {
    json[rollout.keeping->is_distance ? "distance" : "within"] = keeping_json(*rollout.keeping);
    for (const char* key :
         {"arrival_rate", "time", "time_standard_error", "energy", "net_energy", "risk"}) {
      json.erase(key);
    }
    return json;
  }
  if (departure) json["arrival_date"] = dates_json(rollout.time, *departure);
  if (rollout.arrival_range) {
    const auto& [min, max] = *rollout.arrival_range;
    json["arrival_rate_range"] = {json_number(min), json_number(max)};
  }
  return json;
}

Json rollout_json(const RunSummary& summary, const Instant& departure) {
  const std::string mode(to_string(summary.rollout_mode));
  Json json{{"mode", summary.steered_by.empty() ? mode : summary.steered_by}};
  json.update(flights_json(*summary.rollout, departure));
  return json;
}

Json gain_json(const PlanGain& gain) {
  return {{"arrival_rate", json_number(gain.arrival_rate)},
          {"time", json_number(gain.time)},
          {"energy", json_number(gain.energy)},
          {"net_energy", json_number(gain.net_energy)},
          {"mean_total_reward", json_number(gain.total_reward)},
          {"standard_error", json_number(gain.standard_error)}};
}

Json baselines_json(const std::vector<BaselineOutcome>& baselines, const Instant& departure) {
  if (baselines.empty()) return nullptr;
  Json json{{"best", to_string(best_baseline(baselines)->baseline)}};
  for (const BaselineOutcome& outcome : baselines) {
    Json entry{{"speed", json_number(outcome.speed)}};
    if (std::isfinite(outcome.heading)) entry["heading"] = json_number(outcome.heading);
    if (!outcome.profile.empty()) entry["profile"] = outcome.profile;
    entry.update(flights_json(outcome.rollout, departure));
    entry["plan_gain"] = gain_json(outcome.plan_gain);
    json[std::string(to_string(outcome.baseline))] = std::move(entry);
  }
  return json;
}

Json problem_json(const ProblemSizes& problem) {
  return {{"nx", problem.nx},
          {"ny", problem.ny},
          {"levels", problem.levels},
          {"states", problem.states},
          {"actions", problem.actions},
          {"realizations", problem.realizations},
          {"modes", problem.modes},
          {"rows", problem.rows},
          {"transitions", problem.transitions}};
}

Json seconds_json(const RunSeconds& seconds) {
  return {{"prepare", json_number(seconds.prepare)}, {"read", json_number(seconds.read)},
          {"solve", json_number(seconds.solve)},     {"evaluate", json_number(seconds.evaluate)},
          {"rollout", json_number(seconds.rollout)}, {"write", json_number(seconds.write)},
          {"total", json_number(seconds.total)}};
}

}  // namespace

const BaselineOutcome* best_baseline(const std::vector<BaselineOutcome>& baselines) {
  const BaselineOutcome* best = nullptr;
  for (const BaselineOutcome& outcome : baselines) {
    if (best == nullptr || outcome.rollout.mean_total_reward > best->rollout.mean_total_reward) {
      best = &outcome;
    }
  }
  return best;
}

Json to_json(const RunSummary& summary) {
  Json json{{"value_at_start", json_number(summary.value_at_start)}};
  if (summary.planned_on) json["planned_on"] = planned_on_json(*summary.planned_on);
  if (summary.replanned_from) json["replanned_from"] = replanned_from_json(*summary.replanned_from);
  Instant departure;
  if (summary.places) {
    departure = summary.places->departure_instant;
    const RunPlaces& places = *summary.places;
    json["start"] = place_json(places.start, places.start_area);
    json["target"] = place_json(places.target, places.target_area);
    if (places.target_radius > 0) json["target"]["radius"] = json_number(places.target_radius);
    if (places.followed) json["followed"] = followed_json(*places.followed);
    for (const RunVia& via : places.via) json["via"].push_back(via_json(via));
    json["departure"] = level_json(places.departure_level, places.departure_time, departure);
    json["deadline"] = level_json(places.last_level, places.last_time, places.last_instant);
    if (places.decide_every > 1) {
      json["decide_every"] = {{"steps", places.decide_every},
                              {"time", json_number(places.decide_every_time)}};
    }
  }
  if (summary.arrival_at_least) json["arrival_at_least"] = *summary.arrival_at_least;
  if (summary.first_action) json["first_action"] = to_json(*summary.first_action);
  json["uncertainty"] = uncertainty_word(summary.uncertainty);
  json["recommendation"] = to_json(summary.recommendation);
  json.update(Json{
      {"expected", summary.expected ? expected_json(*summary.expected, departure) : Json(nullptr)},
      {"rollout", summary.rollout ? rollout_json(summary, departure) : Json(nullptr)},
      {"baselines", baselines_json(summary.baselines, departure)},
      {"notes", summary.notes},
      {"warnings", summary.warnings},
      {"problem", problem_json(summary.problem)},
      {"engine", summary.engine},
      {"backend", summary.backend},
      {"device", summary.device},
      {"threads", summary.threads},
      {"processes", summary.processes},
      {"bands", summary.subdomains},
      {"seconds", seconds_json(summary.seconds)},
      {"peak_memory_bytes", summary.peak_memory_bytes}});
  if (summary.peak_device_memory_bytes > 0) {
    json["peak_device_memory_bytes"] = summary.peak_device_memory_bytes;
  }
  json["version"] = version();
  json["mission"] = summary.mission;
  if (!summary.knowledge.is_null()) json["knowledge"] = summary.knowledge;
  if (!summary.batch.is_null()) json["batch"] = summary.batch;
  return json;
}

Json to_json(const RolloutStatistics& flown) { return flights_json(flown, std::nullopt); }

void write_summary(const std::filesystem::path& path, const RunSummary& summary) {
  write_text_file(
      path, to_json(summary).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Json read_summary(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "summary.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Json(Json::value_t::discarded);
  const std::string text = read_text_file(path, text_format::summary);
  require_shallow(text, NestedText::json, path.string());
  return Json::parse(text, nullptr, false);
}

ForecastUncertainty uncertainty_in(const Json& summary) {
  const std::string recorded = text_in(summary, "uncertainty");
  for (const auto& [word, uncertainty] : uncertainty_words) {
    if (word == recorded) return uncertainty;
  }
  const Json problem = summary.is_object() ? summary.value("problem", Json()) : Json();
  const Json count = problem.is_object() ? problem.value("realizations", Json()) : Json();
  return uncertainty_of(ForecastUncertainty::ensemble, count == 1 ? 1 : 2);
}

std::string text_in(const Json& part, const char* key) {
  const bool is_text = part.is_object() && part.contains(key) && part[key].is_string();
  return is_text ? part[key].get<std::string>() : std::string();
}

}  // namespace tidewise

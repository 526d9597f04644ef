#include "planner/mission/read/key_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/key_values.h"
#include "planner/mission/read/place_values.h"
#include "planner/mission/read/presets.h"
#include "planner/mission/read/time_values.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

using Vehicle = RunRequest::Vehicle;
using Goal = RunRequest::Goal;
using Planner = PlanOptions;
using Rollout = FlightOptions;
using Output = RunRequest::Output;

using Key = MissionKey;
using Source = MissionKey::Source;

/// Returns a function from a request to one of its members, by a path of member pointers.
template <class... Members>
auto at(Members... members) {
  return [=](auto& request) -> auto& { return (request.*....*members); };
}

template <class Value>
Json as_json(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return to_string(value);
  } else {
    return Json(value);
  }
}
Json as_json(const fs::path& path) { return path.empty() ? Json() : Json(path.string()); }
Json as_json(const DeviceChoice& choice) {
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) return *list;
  return "all";
}
Json as_json(const std::vector<std::string>& texts) { return texts.empty() ? Json() : Json(texts); }
Json as_json(const RealizationChoice& choice) {
  if (const auto* count = std::get_if<std::int32_t>(&choice)) return *count;
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) return *list;
  return "all";
}
Json as_json(const Moment& moment) {
  if (moment.date) return date_text(*moment.date);
  const bool whole = moment.level == std::floor(moment.level);
  return whole ? Json(static_cast<std::int32_t>(moment.level)) : Json(moment.level);
}
Json as_json(const TimeSpan& span) {
  return span.seconds ? Json(span_text(*span.seconds)) : Json(span.steps);
}
Json as_json(const Deadline& deadline) {
  return std::visit([](const auto& value) { return as_json(value); }, deadline);
}
Json as_json(const std::vector<Deadline>& deadlines) {
  Json list = Json::array();
  for (const Deadline& deadline : deadlines) list.push_back(as_json(deadline));
  return list;
}

/// A ring, a polygon of several rings, or several polygons, with as few nested lists as possible.
Json polygons_as_json(const std::vector<Polygon>& polygons) {
  if (polygons.size() > 1) return polygons;
  return polygons.front().size() > 1 ? Json(polygons.front()) : Json(polygons.front().front());
}
Json points_as_json(const Position& position) {
  const Vertex first{position.first, position.second};
  if (position.others.empty()) return first;
  Json points = Json::array({first});
  for (const Vertex& other : position.others) points.push_back(other);
  return points;
}
Json as_json(const std::vector<NoGoZone>& zones) {
  Json list = Json::array();
  for (const NoGoZone& zone : zones) {
    const bool geographic = zone.frame == Position::Frame::geographic;
    Json table;
    table[geographic ? "polygon_lonlat" : "polygon"] = polygons_as_json(zone.polygons);
    if (zone.from) table["from"] = as_json(*zone.from);
    if (zone.until) table["until"] = as_json(*zone.until);
    list.push_back(std::move(table));
  }
  return list.empty() ? Json() : list;
}
Json as_json(const std::vector<ViaPoint>& via) {
  Json list = Json::array();
  for (const ViaPoint& point : via) {
    const bool geographic = point.place.frame == Position::Frame::geographic;
    Json table;
    if (point.place.polygons.empty()) {
      table[geographic ? "lonlat" : "point"] = points_as_json(point.place);
      table["radius"] = point.radius;
    } else {
      table[geographic ? "polygon_lonlat" : "polygon"] = polygons_as_json(point.place.polygons);
    }
    list.push_back(std::move(table));
  }
  return list.empty() ? Json() : list;
}
template <class Value>
Json as_json(const std::optional<Value>& value) {
  return value ? as_json(*value) : Json();
}

/// Returns a key. `place` returns its value in a request; `find` reads its value from a source by
/// its name.
template <class Place, class Find>
Key key(const std::string& name, Changes changes, Place place, Find find) {
  return {name, changes,
          [=](const Source& source, RunRequest& request) {
            auto& value = place(request);
            using Value = std::remove_reference_t<decltype(value)>;
            if (auto found = find(source, name)) value = static_cast<Value>(*std::move(found));
          },
          [=](const RunRequest& request) { return as_json(place(request)); }};
}

// Reads an integer from `min` to `max`.
auto whole(std::int64_t min, std::int64_t max) {
  return [=](const Source& source, const std::string& name) {
    return source.keys.integer(name, min, max);
  };
}
auto number(NumberRange range) {
  return [=](const Source& source, const std::string& name) {
    return source.keys.number(name, range);
  };
}
/// Reads a word of an enum.
template <class Enum>
auto word_of() {
  return [](const Source& source, const std::string& name) {
    return source.keys.choice(name, {words_of<Enum>.begin(), words_of<Enum>.end()});
  };
}
/// Reads a key with a function of key_values.h.
template <class Found>
auto by(std::optional<Found> (*find)(const KeyReader&, std::string_view)) {
  return [=](const Source& source, const std::string& name) { return find(source.keys, name); };
}
std::optional<std::string> text(const Source& source, const std::string& name) {
  return source.keys.text(name);
}
std::optional<std::int64_t> bytes(const Source& source, const std::string& name) {
  return source.keys.bytes(name);
}
std::optional<fs::path> path(const Source& source, const std::string& name) {
  return find_path(source.keys, name, source.folder);
}
std::optional<fs::path> environment_path(const Source& source, const std::string& name) {
  auto file = path(source, name);
  if (!file) source.keys.refuse_missing(name, "file = \"ocean.h5\" under [environment]");
  return file;
}

constexpr std::int64_t max_whole = std::numeric_limits<std::int32_t>::max();

std::optional<std::vector<NoGoZone>> no_go(const Source& source, const std::string& name) {
  return find_no_go(source.keys, name, source.folder);
}

std::optional<std::vector<ViaPoint>> via(const Source& source, const std::string& name) {
  return find_via(source.keys, name, source.folder);
}

/// Sets the values of a vehicle preset; later keys override them.
Key preset_key() {
  return {"vehicle.preset", Changes::counts,
          [](const Source& source, RunRequest& request) {
            const auto name = source.keys.text("vehicle.preset");
            if (!name) return;
            const VehiclePreset* preset = find_preset(*name);
            if (preset == nullptr) {
              KeyReader::refuse(*source.keys.find("vehicle.preset"),
                                "one of " + describe_presets(*name));
            }
            request.vehicle.speeds = preset->speeds;
            request.goal.energy.c_f = preset->c_f;
            request.goal.energy.c_t = preset->c_t;
            if (preset->vertical_speed > 0) request.vertical_speed = preset->vertical_speed;
          },
          // A run's files contain the values instead.
          [](const RunRequest&) { return Json(); }};
}

Key unless_zero(Key key) {
  key.echo = [echo = key.echo](const RunRequest& request) {
    Json value = echo(request);
    return value == 0 ? Json() : value;
  };
  return key;
}

/// The power of dives replaces all other power, unless later keys add some.
Key profile_power_key() {
  Key power = key("vehicle.profile_power", Changes::policy,
                  at(&RunRequest::vehicle, &Vehicle::profile_power), by(find_for_profiles));
  power.read = [read = power.read](const Source& source, RunRequest& request) {
    read(source, request);
    if (!request.vehicle.profile_power) return;
    request.goal.energy.c_f = request.goal.energy.c_t = 0;
    request.goal.energy.dive =
        std::numeric_limits<double>::quiet_NaN();  // each profile has its own
  };
  return power;
}

/// True if the followed track replaces a place, which must then be absent.
bool is_replaced_by_track(const std::string& place, const RunRequest& request) {
  return place == "mission.target" && request.goal.objective == Objective::follow;
}

/// The two forms of the keys of a place.
enum class PlaceBy { points, polygons };

/// Returns one of the keys of a place. A mission has one of these keys, and the first key reads
/// them all.
Key position(const std::string& place, const char* ending, Changes changes, Position Goal::*member,
             Position::Frame frame, PlaceBy by) {
  const std::string name = place + ending;
  Key key{name, changes,
          [=](const Source& source, RunRequest& request) {
            if (name == place && !is_replaced_by_track(place, request)) {
              request.goal.*member = read_position(source.keys, place, source.folder);
            }
          },
          [=](const RunRequest& request) {
            const Position& value = request.goal.*member;
            const bool by_polygons = !value.polygons.empty();
            if (is_replaced_by_track(place, request)) return Json();
            if (value.frame != frame || by_polygons != (by == PlaceBy::polygons)) return Json();
            return by_polygons ? polygons_as_json(value.polygons) : points_as_json(value);
          }};
  key.says = place;
  key.holds_path = by == PlaceBy::polygons && frame == Position::Frame::plane;
  if (by == PlaceBy::polygons) {
    key.polygons = [=](const RunRequest& request) { return (request.goal.*member).polygons; };
  }
  return key;
}

Key with_path(Key key) {
  key.holds_path = true;
  return key;
}

/// Marks a key as one of those that set the end of the mission.
Key with_end(Key key) {
  key.says = "mission.end";
  return key;
}

/// Marks a key as a list of tables that give polygons. The text of the key `path` in such a table
/// is a path.
template <class Polygons>
Key with_tables(Key key, const char* path, Polygons polygons) {
  key.path_in_tables = path;
  key.polygons = polygons;
  return key;
}

std::vector<Polygon> no_go_polygons(const RunRequest& request) {
  std::vector<Polygon> all;
  for (const NoGoZone& zone : request.goal.no_go) {
    all.insert(all.end(), zone.polygons.begin(), zone.polygons.end());
  }
  return all;
}

std::vector<Polygon> via_polygons(const RunRequest& request) {
  std::vector<Polygon> all;
  for (const ViaPoint& point : request.goal.via) {
    all.insert(all.end(), point.place.polygons.begin(), point.place.polygons.end());
  }
  return all;
}

/// True for keys with the reward of arrival or a failure penalty.
bool is_reward_key(std::string_view name) {
  return name == "mission.arrival_reward" || name == "mission.failure_penalty" ||
         name.starts_with("mission.failure.");
}

/// True if the objective uses such a key. The objective arrival uses none; station keeping uses
/// only the penalties of obstacles and the border.
bool uses_reward_key(Objective objective, std::string_view name) {
  if (keeps(objective)) {
    return name == "mission.failure.obstacle" || name == "mission.failure.outside";
  }
  return objective != Objective::arrival;
}

Key echoed_if_used(Key key) {
  const auto echo = key.echo;
  key.echo = [echo, name = key.name](const RunRequest& request) {
    return uses_reward_key(request.goal.objective, name) ? echo(request) : Json();
  };
  return key;
}

void add_place(const std::string& name, Changes changes, Position Goal::*member,
               std::vector<Key>& keys) {
  using Frame = Position::Frame;
  keys.push_back(position(name, "", changes, member, Frame::plane, PlaceBy::points));
  keys.push_back(position(name, "_lonlat", changes, member, Frame::geographic, PlaceBy::points));
  keys.push_back(position(name, "_polygon", changes, member, Frame::plane, PlaceBy::polygons));
  keys.push_back(
      position(name, "_polygon_lonlat", changes, member, Frame::geographic, PlaceBy::polygons));
}

std::vector<Key> make_table() {
  const auto in = [](auto member, auto... more) { return at(&RunRequest::goal, member, more...); };
  const auto energy = [=](auto member) { return in(&Goal::energy, member); };
  const auto vehicle = [](auto member) { return at(&RunRequest::vehicle, member); };
  const auto planner = [](auto member) { return at(&RunRequest::planner, member); };
  const auto rollout = [](auto member) { return at(&RunRequest::rollout, member); };
  const auto output = [](auto member) { return at(&RunRequest::output, member); };
  const NumberRange not_negative{.min = 0};
  // Rewards are summed in float32; resolve_mission validates their sum.
  const NumberRange any_reward{.min = -1e30, .max = 1e30};
  const NumberRange price{.min = -1e30, .max = 0};
  constexpr std::int64_t max_seed = std::numeric_limits<std::int64_t>::max();
  constexpr auto counts = Changes::counts;
  constexpr auto policy = Changes::policy;
  constexpr auto flights = Changes::flights;
  constexpr auto nothing = Changes::nothing;

  std::vector<Key> keys{
      with_path(key("environment.file", counts, at(&RunRequest::environment), environment_path))};
  for (const auto& [role, name] : environment_roles) {
    keys.push_back(
        key(std::string("environment.names.") + role, counts, at(&RunRequest::names, name), text));
  }
  const std::vector<Key> first_keys{
      preset_key(),
      key("vehicle.speeds", counts, vehicle(&Vehicle::speeds), by(find_speeds)),
      key("vehicle.profiles", counts, vehicle(&Vehicle::profiles), by(find_profiles)),
      key("vehicle.profile_speeds", counts, vehicle(&Vehicle::profile_speeds),
          by(find_for_profiles)),
      profile_power_key(),
      key("vehicle.surface_drift", counts, vehicle(&Vehicle::surface_drift), by(find_duration)),
      key("vehicle.vertical_speed", nothing, at(&RunRequest::vertical_speed),
          number({.min = 0.001, .max = 5})),
      key("vehicle.headings", counts, vehicle(&Vehicle::headings), whole(1, 32767)),
      unless_zero(
          key("vehicle.speed_error", counts, vehicle(&Vehicle::speed_error), number(not_negative))),
      unless_zero(key("vehicle.heading_error", counts, vehicle(&Vehicle::heading_error),
                      number({.min = 0, .max = 90}))),
      key("vehicle.battery", flights, vehicle(&Vehicle::battery),
          number({.min = 0, .min_is = NumberRange::Limit::left_out})),
      key("vehicle.energy.c_f", policy, energy(&EnergyModel::c_f), number(not_negative)),
      key("vehicle.energy.c_t", policy, energy(&EnergyModel::c_t), number(not_negative)),
      key("mission.objective", policy, in(&Goal::objective), word_of<Objective>()),
  };
  keys.insert(keys.end(), first_keys.begin(), first_keys.end());
  add_place("mission.start", flights, &Goal::start, keys);
  add_place("mission.target", policy, &Goal::target, keys);
  const std::vector<Key> last_keys{
      with_path(key("mission.follow", policy, in(&Goal::follow), path)),
      key("mission.target_radius", policy, in(&Goal::target_radius), number(not_negative)),
      with_tables(key("mission.via", policy, in(&Goal::via), via), "polygon", via_polygons),
      key("mission.departure", flights, in(&Goal::departure), by(find_departure)),
      with_end(key("mission.horizon", flights, in(&Goal::horizon), by(find_span))),
      with_end(key("mission.deadline", flights, in(&Goal::deadline), by(find_deadline))),
      key("mission.decide_every", policy, in(&Goal::decide_every), by(find_span)),
      with_tables(key("mission.no_go", counts, in(&Goal::no_go), no_go), "file", no_go_polygons),
      key("mission.arrival_reward", policy, in(&Goal::arrival_reward), number(any_reward)),
      key("mission.failure_penalty", policy, in(&Goal::failure_penalty), number(any_reward)),
      key("mission.failure.obstacle", policy, in(&Goal::failure, &Goal::Failure::obstacle),
          number(price)),
      key("mission.failure.outside", policy, in(&Goal::failure, &Goal::Failure::outside),
          number(price)),
      key("mission.failure.late", policy, in(&Goal::failure, &Goal::Failure::late), number(price)),
      key("mission.harvest.c_r", policy, energy(&EnergyModel::c_r), number(not_negative)),
      key("mission.weight.alpha", policy, energy(&EnergyModel::alpha),
          number({.min = 0, .max = 1})),
      key("planner.engine", counts, planner(&Planner::engine), word_of<Engine>()),
      key("planner.landing", counts, planner(&Planner::landing), word_of<LandingBy>()),
      key("planner.margin", policy, planner(&Planner::margin), number(not_negative)),
      key("planner.backend", nothing, planner(&Planner::backend), word_of<BackendChoice>()),
      key("planner.threads", nothing, planner(&Planner::threads), whole(1, max_whole)),
      key("planner.subgrid_radius", counts, planner(&Planner::subgrid_radius), whole(0, 1024)),
      key("planner.device", nothing, planner(&Planner::device), whole(0, max_whole)),
      key("planner.devices", nothing, planner(&Planner::devices), by(find_devices)),
      key("planner.device_memory", nothing, planner(&Planner::device_memory), bytes),
      key("planner.block_size", nothing, planner(&Planner::block_size), whole(1, 1024)),
      key("rollout.mode", flights, rollout(&Rollout::mode), word_of<RolloutChoice>()),
      key("rollout.realizations", flights, rollout(&Rollout::realizations), by(find_realizations)),
      key("rollout.flights", flights, rollout(&Rollout::flights), whole(1, 100'000'000)),
      key("rollout.seed", flights, rollout(&Rollout::seed), whole(0, max_seed)),
      key("rollout.baselines", flights, rollout(&Rollout::baselines), word_of<BaselineChoice>()),
      key("rollout.deadlines", flights, rollout(&Rollout::deadlines), by(find_deadlines)),
      with_path(key("output.directory", nothing, output(&Output::directory), path)),
      key("output.formats", Changes::files, output(&Output::formats), by(find_formats)),
  };
  keys.insert(keys.end(), last_keys.begin(), last_keys.end());
  for (Key& key : keys) {
    if (is_reward_key(key.name)) key = echoed_if_used(std::move(key));
  }
  return keys;
}

void refuse_two_ends(const KeyReader& keys, const Goal& goal) {
  if (!goal.horizon || !goal.deadline) return;
  throw input_error(errors::deadline_with_horizon, keys.find("mission.deadline")->place);
}

/// A followed track replaces the target, and has no meaning for other objectives.
void refuse_two_goals(const KeyReader& keys, const Goal& goal) {
  const auto refuse = [&](const std::string& key, const char* why) {
    const TomlEntry* entry = keys.find(key);
    if (entry == nullptr) return;
    throw input_error(errors::key_not_of_objective, entry->place, key, why);
  };
  if (goal.objective != Objective::follow) {
    refuse("mission.follow", "is not follow, the only one that uses it");
    return;
  }
  refuse("mission.target_radius", "follow has no target (mission.follow)");
  for (const std::string& key : keys_of_place("mission.target")) {
    refuse(key, "follow has no target (mission.follow)");
  }
}

/// Refuses failure penalties that contradict each other, make failing pay, or have no effect.
void refuse_failure_prices(const KeyReader& keys, const Goal& goal) {
  for (const Key& mission_key : mission_keys()) {
    if (!is_reward_key(mission_key.name) || uses_reward_key(goal.objective, mission_key.name))
      continue;
    const auto* entry = keys.find(mission_key.name);
    if (entry == nullptr) continue;
    throw input_error(
        errors::key_not_of_objective, entry->place, mission_key.name,
        goal.objective == Objective::arrival
            ? "arrival counts nothing but the probability of arriving"
            : fmt::format("{} has no arrival and no lateness", to_string(goal.objective)));
  }
  if (!uses_reward_key(goal.objective, "mission.arrival_reward")) return;
  if (goal.failure_penalty && goal.failure.any()) {
    throw input_error(errors::failure_penalty_twice, keys.find("mission.failure_penalty")->place);
  }
  const auto require_lower = [&](const char* key, const std::optional<double>& price) {
    if (!price || *price < goal.arrival_reward) return;
    throw input_error(errors::failure_pays, keys.find(key)->place, key, *price,
                      goal.arrival_reward);
  };
  require_lower("mission.failure_penalty", goal.failure_penalty);
  require_lower("mission.failure.obstacle", goal.failure.obstacle);
  require_lower("mission.failure.outside", goal.failure.outside);
  require_lower("mission.failure.late", goal.failure.late);
}

MissionKeys& table() {
  static MissionKeys keys = make_table();
  return keys;
}

}  // namespace

const MissionKeys& mission_keys() { return table(); }

AddedKey::AddedKey(MissionKey key) { table().push_back(std::move(key)); }
AddedKey::~AddedKey() { table().pop_back(); }

const MissionKey* find_key(std::string_view name) {
  const MissionKeys& keys = mission_keys();
  const auto known = std::find_if(keys.begin(), keys.end(),
                                  [&](const Key& candidate) { return candidate.name == name; });
  return known == keys.end() ? nullptr : &*known;
}

void read_keys(const KeyReader& keys, const fs::path& folder, RunRequest& request) {
  for (const Key& mission_key : mission_keys()) mission_key.read({keys, folder}, request);
  refuse_failure_prices(keys, request.goal);
  refuse_two_ends(keys, request.goal);
  refuse_two_goals(keys, request.goal);
}

void validate_request(const RunRequest& request) {
  RunRequest echoed_request = request;
  echoed_request.environment = "environment.h5";  // the real name may not be valid UTF-8
  std::vector<TomlEntry> entries = parse_toml(to_toml(echoed_request), request.name);
  for (TomlEntry& entry : entries) {
    entry.place = request.place(entry.key);
    entry.origin = TomlOrigin::command_line;  // a table in a list then has the list's place
  }
  RunRequest read;
  read_keys(KeyReader(entries, request.name), {}, read);
  // Reading a mission file closes rings and makes them continuous across 180 degrees.
  for (const Key& mission_key : mission_keys()) {
    if (!mission_key.polygons || mission_key.polygons(request) == mission_key.polygons(read))
      continue;
    throw input_error(errors::polygon_ring_not_closed, request.name,
                      mission_key.says.empty() ? mission_key.name : mission_key.says);
  }
}

Json to_json(const RunRequest& request, const std::vector<Changes>& changed) {
  Json json;
  for (const Key& mission_key : mission_keys()) {
    if (std::find(changed.begin(), changed.end(), mission_key.changes) == changed.end()) continue;
    const Json value = mission_key.echo(request);
    if (value.is_null()) continue;
    Json* node = &json;
    std::string_view rest = mission_key.name;
    for (auto point = rest.find('.'); point != std::string_view::npos; point = rest.find('.')) {
      node = &(*node)[std::string(rest.substr(0, point))];
      rest.remove_prefix(point + 1);
    }
    (*node)[std::string(rest)] = value;
  }
  return json;
}

Json to_json(const RunRequest& request) {
  return to_json(request, {Changes::counts, Changes::policy, Changes::flights, Changes::files,
                           Changes::nothing});
}

}  // namespace tidewise

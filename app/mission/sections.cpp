#include "app/mission/sections.h"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t most_levels = std::numeric_limits<std::int32_t>::max();
constexpr NumberRange not_negative{.least = 0};

/// Overwrites a default where the mission has something to say.
template <class T, class Found>
void take(T& value, const std::optional<Found>& found) {
  if (found) value = static_cast<T>(*found);
}

/// A path, absolute: see read_mission_file.
fs::path absolute_path(const KeyReader& keys, std::string_view key, const std::string& text,
                       const fs::path& folder) {
  const bool typed = keys.find(key)->origin == TomlOrigin::command_line;
  return fs::absolute((typed ? fs::current_path() : folder) / text).lexically_normal();
}

/// `mission.start` or `mission.start_lonlat`; one of the two.
Position read_position(const KeyReader& keys, const std::string& key) {
  const std::string geographic_key = key + "_lonlat";
  const auto plane = keys.numbers(key, 2);
  const auto geographic = keys.numbers(geographic_key, 2);
  if (plane && geographic) {
    throw InputError(fmt::format("{}: {} is given, and so is {}; keep one of them",
                                 keys.find(geographic_key)->place, geographic_key, key));
  }
  if (plane) return {Position::Frame::plane, plane->at(0), plane->at(1)};
  if (!geographic) {
    keys.refuse_missing(key,
                        fmt::format("{} = [100.5, 40.5] or {}_lonlat = [-126.0, 46.8] under "
                                    "[mission]",
                                    key.substr(key.find('.') + 1), key.substr(key.find('.') + 1)));
  }
  const double longitude = geographic->at(0);
  const double latitude = geographic->at(1);
  if (longitude < -360 || longitude > 360 || latitude < -90 || latitude > 90) {
    KeyReader::refuse(*keys.find(geographic_key),
                      "[longitude, latitude] in degrees, longitude from -360 to 360 and latitude "
                      "from -90 to 90");
  }
  return {Position::Frame::geographic, longitude, latitude};
}

RealizationChoice read_realizations(const KeyReader& keys) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::string allowed =
      "\"all\", how many (1 or more), or a list of realizations (each 0 or more, once)";
  const TomlEntry* entry = keys.find("rollout.realizations");
  if (entry == nullptr) return AllRealizations{};
  if (const auto* text = std::get_if<std::string>(&entry->value.content)) {
    if (*text == "all") return AllRealizations{};
  }
  if (const auto* count = std::get_if<std::int64_t>(&entry->value.content)) {
    if (*count >= 1 && *count <= most) return static_cast<std::int32_t>(*count);
  }
  const auto* list = std::get_if<TomlValue::Array>(&entry->value.content);
  if (list == nullptr || list->empty()) KeyReader::refuse(*entry, allowed);
  std::vector<std::int32_t> chosen;
  std::set<std::int64_t> seen;
  for (const auto& element : *list) {
    const auto* number = std::get_if<std::int64_t>(&element.content);
    if (number == nullptr || *number < 0 || *number > most || !seen.insert(*number).second) {
      KeyReader::refuse(*entry, allowed);
    }
    chosen.push_back(static_cast<std::int32_t>(*number));
  }
  return chosen;
}

DeviceChoice read_devices(const KeyReader& keys) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::string allowed = "\"all\", or a list of GPUs (each 0 or more, once), e.g. [0, 1]";
  const TomlEntry* entry = keys.find("planner.devices");
  if (entry == nullptr) return std::vector<std::int32_t>{};
  if (const auto* text = std::get_if<std::string>(&entry->value.content)) {
    if (*text == "all") return AllDevices{};
  }
  const auto* list = std::get_if<TomlValue::Array>(&entry->value.content);
  if (list == nullptr) KeyReader::refuse(*entry, allowed);
  std::vector<std::int32_t> chosen;
  std::set<std::int64_t> seen;
  for (const auto& element : *list) {
    const auto* number = std::get_if<std::int64_t>(&element.content);
    if (number == nullptr || *number < 0 || *number > most || !seen.insert(*number).second) {
      KeyReader::refuse(*entry, allowed);
    }
    chosen.push_back(static_cast<std::int32_t>(*number));
  }
  return chosen;
}

}  // namespace

MissionFile::Environment read_environment(const KeyReader& keys, const fs::path& folder) {
  MissionFile::Environment environment;
  const auto file = keys.text("environment.file");
  if (!file) keys.refuse_missing("environment.file", "file = \"ocean.h5\" under [environment]");
  environment.file = absolute_path(keys, "environment.file", *file, folder);
  for (const auto& [role, name] : environment_roles) {
    take(environment.names.*name, keys.text(std::string("environment.names.") + role));
  }
  return environment;
}

MissionFile::Vehicle read_vehicle(const KeyReader& keys) {
  MissionFile::Vehicle vehicle;
  const auto speeds = keys.numbers("vehicle.speeds", 0, not_negative);
  if (!speeds) keys.refuse_missing("vehicle.speeds", "speeds = [0.5] under [vehicle]");
  vehicle.speeds = *speeds;
  const std::set<double> distinct(speeds->begin(), speeds->end());
  if (distinct.size() != speeds->size()) {
    KeyReader::refuse(*keys.find("vehicle.speeds"), "a list that names each speed once");
  }
  take(vehicle.headings, keys.integer("vehicle.headings", 1, 32767));
  return vehicle;
}

MissionFile::Goal read_goal(const KeyReader& keys) {
  MissionFile::Goal goal;
  // The words stand in the order of the enumerators, here and below.
  const auto objective =
      keys.choice("mission.objective", {"time", "energy", "net_energy", "weighted"});
  if (objective) goal.objective = static_cast<Objective>(*objective);
  goal.start = read_position(keys, "mission.start");
  goal.target = read_position(keys, "mission.target");
  take(goal.target_radius, keys.number("mission.target_radius", not_negative));
  take(goal.departure, keys.integer("mission.departure", 0, most_levels));
  if (const auto horizon = keys.integer("mission.horizon", 1, most_levels)) {
    goal.horizon = static_cast<std::int32_t>(*horizon);
  }
  // Rewards are added up in float32; resolve_mission judges them together.
  const NumberRange reward{.least = -1e30, .most = 1e30};
  take(goal.arrival_reward, keys.number("mission.arrival_reward", reward));
  goal.failure_penalty = keys.number("mission.failure_penalty", reward);
  if (goal.failure_penalty && *goal.failure_penalty >= goal.arrival_reward) {
    throw InputError(fmt::format(
        "{}: mission.failure_penalty is {} and mission.arrival_reward {}; the penalty must be the "
        "lower, or failing would pay",
        keys.find("mission.failure_penalty")->place, *goal.failure_penalty, goal.arrival_reward));
  }
  take(goal.energy.c_f, keys.number("vehicle.energy.c_f", not_negative));
  take(goal.energy.c_t, keys.number("vehicle.energy.c_t", not_negative));
  take(goal.energy.c_r, keys.number("mission.harvest.c_r", not_negative));
  take(goal.energy.alpha, keys.number("mission.weight.alpha", {.least = 0, .most = 1}));
  return goal;
}

MissionFile::Planner read_planner(const KeyReader& keys) {
  MissionFile::Planner planner;
  const auto engine = keys.choice("planner.engine", {"paper", "direct", "lattice"});
  if (engine) planner.engine = static_cast<Engine>(*engine);
  const auto backend = keys.choice("planner.backend", {"auto", "cpu", "cuda"});
  if (backend) planner.backend = static_cast<BackendChoice>(*backend);
  if (const auto threads =
          keys.integer("planner.threads", 1, std::numeric_limits<std::int32_t>::max())) {
    planner.threads = static_cast<std::int32_t>(*threads);
  }
  take(planner.subgrid_radius, keys.integer("planner.subgrid_radius", 0, 1024));
  take(planner.device, keys.integer("planner.device", 0, std::numeric_limits<std::int32_t>::max()));
  planner.devices = read_devices(keys);
  planner.device_memory = keys.bytes("planner.device_memory");
  take(planner.block_size, keys.integer("planner.block_size", 1, 1024));
  return planner;
}

MissionFile::Rollout read_rollout(const KeyReader& keys) {
  MissionFile::Rollout rollout;
  const auto mode = keys.choice("rollout.mode", {"none", "continuous", "chain"});
  if (mode) rollout.mode = static_cast<RolloutChoice>(*mode);
  rollout.realizations = read_realizations(keys);
  take(rollout.flights, keys.integer("rollout.flights", 1, 100'000'000));
  take(rollout.seed, keys.integer("rollout.seed", 0, std::numeric_limits<std::int64_t>::max()));
  return rollout;
}

MissionFile::Output read_output(const KeyReader& keys, const fs::path& folder,
                                const fs::path& default_directory) {
  MissionFile::Output output;
  const auto directory = keys.text("output.directory");
  output.directory =
      directory ? absolute_path(keys, "output.directory", *directory, folder) : default_directory;
  if (const auto formats = keys.texts("output.formats")) {
    for (const auto& format : *formats) {
      if (format == "netcdf") continue;
      KeyReader::refuse(*keys.find("output.formats"),
                        "[\"netcdf\"], the one format that this version writes");
    }
    if (formats->empty()) KeyReader::refuse(*keys.find("output.formats"), "[\"netcdf\"]");
  }
  return output;
}

}  // namespace tidewise

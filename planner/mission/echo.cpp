#include "planner/mission/echo.h"

#include <fmt/format.h>

#include <utility>

#include "planner/mission/quote_toml.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const RealizationChoice& choice) {
  if (const auto* count = std::get_if<std::int32_t>(&choice)) return *count;
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) return *list;
  return "all";
}

Json to_json(const DeviceChoice& choice) {
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) return *list;
  return "all";
}

void put_position(Json& table, const std::string& key, const Position& position) {
  const bool geographic = position.frame == Position::Frame::geographic;
  table[geographic ? key + "_lonlat" : key] = {position.first, position.second};
}

Json to_json(const EnvironmentNames& names) {
  return {{"x", names.x},
          {"y", names.y},
          {"time", names.time},
          {"u_mean", names.u_mean},
          {"v_mean", names.v_mean},
          {"u_mode", names.u_mode},
          {"v_mode", names.v_mode},
          {"coefficient", names.coefficient},
          {"scalar_mean", names.scalar_mean},
          {"obstacle_mask", names.obstacle_mask},
          {"realization_weight", names.realization_weight},
          {"lon", names.lon},
          {"lat", names.lat}};
}

Json to_json(const RunRequest::Goal& goal) {
  Json table;
  table["objective"] = to_string(goal.objective);
  put_position(table, "start", goal.start);
  put_position(table, "target", goal.target);
  table["target_radius"] = goal.target_radius;
  table["departure"] = goal.departure;
  if (goal.horizon) table["horizon"] = *goal.horizon;
  table["arrival_reward"] = goal.arrival_reward;
  if (goal.failure_penalty) table["failure_penalty"] = *goal.failure_penalty;
  table["harvest"] = {{"c_r", goal.energy.c_r}};
  table["weight"] = {{"alpha", goal.energy.alpha}};
  return table;
}

Json to_json(const RunRequest::Planner& planner) {
  Json table;
  table["engine"] = to_string(planner.engine);
  table["backend"] = to_string(planner.backend);
  if (planner.threads) table["threads"] = *planner.threads;
  table["subgrid_radius"] = planner.subgrid_radius;
  table["device"] = planner.device;
  table["devices"] = to_json(planner.devices);
  if (planner.device_memory) table["device_memory"] = *planner.device_memory;
  table["block_size"] = planner.block_size;
  return table;
}

std::string to_toml_value(const Json& value) {
  if (value.is_string()) return quote_toml(value.get<std::string>());
  if (value.is_number_float()) {
    // The shortest text that reads back to the same double; a point keeps it a float.
    std::string text = fmt::format("{}", value.get<double>());
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
  }
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& element : value) text += (text.empty() ? "" : ", ") + to_toml_value(element);
  return "[" + text + "]";
}

/// A table's own values first, then the tables in it, as TOML needs them.
void write_table(const std::string& name, const Json& table, std::string& text) {
  if (!name.empty()) text += fmt::format("[{}]\n", name);
  for (const auto& [key, value] : table.items()) {
    if (!value.is_object()) text += fmt::format("{} = {}\n", key, to_toml_value(value));
  }
  for (const auto& [key, value] : table.items()) {
    if (value.is_object()) write_table(name.empty() ? key : name + "." + key, value, text);
  }
}

}  // namespace

Json to_json(const RunRequest& mission) {
  Json json;
  json["environment"] = {{"file", mission.environment.file.string()},
                         {"names", to_json(mission.environment.names)}};
  json["vehicle"] = {
      {"speeds", mission.vehicle.speeds},
      {"headings", mission.vehicle.headings},
      {"energy", {{"c_f", mission.mission.energy.c_f}, {"c_t", mission.mission.energy.c_t}}}};
  json["mission"] = to_json(mission.mission);
  json["planner"] = to_json(mission.planner);
  json["rollout"] = {{"mode", to_string(mission.rollout.mode)},
                     {"realizations", to_json(mission.rollout.realizations)},
                     {"flights", mission.rollout.flights},
                     {"seed", mission.rollout.seed}};
  json["output"] = {{"directory", mission.output.directory.string()},
                    {"formats", mission.output.formats}};
  return json;
}

std::string to_toml(const RunRequest& mission) {
  std::string text;
  write_table("", to_json(mission), text);
  return text;
}

}  // namespace tidewise

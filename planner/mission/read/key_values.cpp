#include "planner/mission/read/key_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "base/error.h"
#include "planner/mission/read/formats.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t max_index = std::numeric_limits<std::int32_t>::max();

bool is_all(const TomlEntry& entry) {
  const auto* text = std::get_if<std::string>(&entry.value.content);
  return text != nullptr && *text == "all";
}

/// A list of indices, each once.
std::vector<std::int32_t> read_indices(const TomlEntry& entry, const std::string& allowed) {
  const auto* list = std::get_if<TomlValue::Array>(&entry.value.content);
  if (list == nullptr) KeyReader::refuse(entry, allowed);
  std::vector<std::int32_t> chosen;
  std::set<std::int64_t> seen;
  for (const auto& element : *list) {
    const auto* number = std::get_if<std::int64_t>(&element.content);
    if (number == nullptr || *number < 0 || *number > max_index || !seen.insert(*number).second) {
      KeyReader::refuse(entry, allowed);
    }
    chosen.push_back(static_cast<std::int32_t>(*number));
  }
  return chosen;
}

}  // namespace

std::optional<fs::path> find_path(const KeyReader& keys, std::string_view key,
                                  const fs::path& folder) {
  const auto text = keys.text(key);
  if (!text) return std::nullopt;
  const bool typed = keys.find(key)->origin == TomlOrigin::command_line;
  return fs::absolute((typed ? fs::current_path() : folder) / *text).lexically_normal();
}

std::optional<RealizationChoice> find_realizations(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  if (is_all(*entry)) return AllRealizations{};
  if (const auto* count = std::get_if<std::int64_t>(&entry->value.content)) {
    if (*count >= 1 && *count <= max_index) return static_cast<std::int32_t>(*count);
  }
  const std::string allowed =
      "\"all\", how many (1 or more), or a list of realizations (each 0 or more, once)";
  auto chosen = read_indices(*entry, allowed);
  if (chosen.empty()) KeyReader::refuse(*entry, allowed);
  return chosen;
}

std::optional<DeviceChoice> find_devices(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  if (is_all(*entry)) return AllDevices{};
  return read_indices(*entry, "\"all\", or a list of GPUs (each 0 or more, once), e.g. [0, 1]");
}

std::optional<std::vector<double>> find_for_profiles(const KeyReader& keys, std::string_view key) {
  return keys.numbers(key, 0, {.min = 0});
}

std::optional<std::vector<double>> find_speeds(const KeyReader& keys, std::string_view key) {
  auto speeds = keys.numbers(key, 0, {.min = 0});
  if (!speeds) speeds = find_for_profiles(keys, "vehicle.profile_speeds");
  if (!speeds && keys.find("vehicle.preset") != nullptr) return {};
  if (!speeds) {
    keys.refuse_missing(key, "speeds = [0.5], or preset = \"slocum-g3\", under [vehicle]");
  }
  constexpr double slowest = 1e-6;  // a micrometre a second is no useful speed
  if (std::any_of(speeds->begin(), speeds->end(),
                  [](double speed) { return speed > 0 && speed < slowest; })) {
    KeyReader::refuse(*keys.find(key), "a list of speeds, each 0 or from 1e-6 on");
  }
  const std::set<double> distinct(speeds->begin(), speeds->end());
  if (keys.find(key) == nullptr) return std::vector<double>(distinct.begin(), distinct.end());
  if (distinct.size() != speeds->size()) {
    KeyReader::refuse(*keys.find(key), "a list that names each speed once");
  }
  return speeds;
}

std::optional<std::vector<std::string>> find_profiles(const KeyReader& keys, std::string_view key) {
  auto profiles = keys.texts(key);
  if (!profiles) return std::nullopt;
  const std::set<std::string_view> distinct(profiles->begin(), profiles->end());
  if (distinct.size() != profiles->size()) {
    KeyReader::refuse(*keys.find(key), "a list that names each profile once, e.g. [\"deep\"]");
  }
  return profiles;
}

std::optional<std::vector<std::string>> find_formats(const KeyReader& keys, std::string_view key) {
  const auto formats = keys.texts(key);
  if (!formats) return std::nullopt;
  std::set<std::string_view> known{run_format, board_format};
  std::string names = fmt::format("\"{}\", \"{}\"", run_format, board_format);
  for (const RouteFormat& format : route_formats()) {
    known.insert(format.name);
    names += fmt::format(", \"{}\"", format.name);
  }
  const std::set<std::string_view> distinct(formats->begin(), formats->end());
  const bool all_known =
      std::includes(known.begin(), known.end(), distinct.begin(), distinct.end());
  if (formats->empty() || !all_known || distinct.size() != formats->size()) {
    KeyReader::refuse(*keys.find(key), "a list, each once, of " + names);
  }
  // Every run is written in run_format, even if it is not named.
  std::vector<std::string> written{std::string(run_format)};
  for (const std::string& format : *formats) {
    if (format != run_format) written.push_back(format);
  }
  return written;
}

}  // namespace tidewise

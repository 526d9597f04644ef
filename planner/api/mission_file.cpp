#include "tidewise/mission_file.h"

#include <utility>

#include "planner/mission/read/file.h"
#include "planner/mission/read/key_table.h"

namespace tidewise {
namespace fs = std::filesystem;

MissionFile read_mission(const fs::path& file, const std::vector<std::string>& settings) {
  return read_mission_file(file, {settings.begin(), settings.end()});
}

MissionFile mission_of_settings(const std::vector<std::string>& settings, const std::string& name) {
  std::vector<TomlEntry> entries;
  for (const std::string& setting : settings) {
    for (TomlEntry& entry : parse_setting({setting, name})) entries.push_back(std::move(entry));
  }
  // A mission must name an environment file; this one is not read.
  entries.push_back({"environment.file", {std::string("environment.h5")}, name});
  MissionFile mission = make_mission({{}, name, fs::current_path(), fs::current_path()}, entries);
  mission.environment.clear();
  return mission;
}

std::vector<std::string> mission_key_names() {
  std::vector<std::string> names;
  for (const MissionKey& key : mission_keys()) names.push_back(key.name);
  return names;
}

}  // namespace tidewise

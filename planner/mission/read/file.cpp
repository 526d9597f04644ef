#include "planner/mission/read/file.h"

#include <set>

#include "base/error.h"
#include "base/printable.h"
#include "planner/error/codes.h"
#include "planner/mission/read/key_reader.h"
#include "planner/mission/read/key_table.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Removes keys of the file that a key of the command line replaces.
void drop_displaced_keys(std::vector<TomlEntry>& entries) {
  const auto set_by = [](const TomlEntry& entry) {
    const MissionKey* key = find_key(entry.key);
    return key == nullptr ? std::string() : key->says;
  };
  std::set<std::string> typed;
  for (const TomlEntry& entry : entries) {
    if (entry.origin == TomlOrigin::command_line) typed.insert(set_by(entry));
  }
  typed.erase("");
  std::erase_if(entries, [&](const TomlEntry& entry) {
    return entry.origin == TomlOrigin::file && typed.contains(set_by(entry));
  });
}

std::vector<TomlEntry> parse_settings(const std::vector<Setting>& settings) {
  std::vector<TomlEntry> entries;
  for (const auto& setting : settings) {
    for (auto& entry : parse_setting(setting)) entries.push_back(std::move(entry));
  }
  return entries;
}

/// The files of a run contain the paths of its mission as UTF-8 text.
void require_utf8(const fs::path& path, const std::string& place) {
  if (is_utf8(path.string())) return;
  throw input_error(errors::path_not_utf8, place, path.string());
}

}  // namespace

MissionDocument open_mission(const fs::path& path) {
  return {read_toml(path), path.string(), fs::absolute(path).parent_path(),
          fs::absolute(fs::path("runs") / path.stem())};
}

RunRequest make_mission(const MissionDocument& document, const std::vector<TomlEntry>& changes) {
  std::vector<TomlEntry> entries = override_entries(document.entries, changes);
  refuse_unknown_keys(entries);
  drop_displaced_keys(entries);
  const KeyReader keys(entries, document.name);
  RunRequest request;
  request.name = document.name;
  request.output.directory = document.default_directory;
  for (const auto& entry : entries) request.places[entry.key] = entry.place;
  read_keys(keys, document.folder, request);
  require_utf8(request.environment, request.place("environment.file"));
  require_utf8(request.output.directory, request.place("output.directory"));
  return request;
}

RunRequest read_mission_file(const fs::path& path, const std::vector<Setting>& settings) {
  const MissionDocument document = open_mission(path);
  return make_mission(document, parse_settings(settings));
}

RunRequest parse_mission(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings) {
  const MissionDocument document{parse_toml(text, name), name, fs::current_path(),
                                 fs::current_path() / "runs"};
  return make_mission(document, parse_settings(settings));
}

}  // namespace tidewise

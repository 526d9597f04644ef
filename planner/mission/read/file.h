#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/mission/read/toml_document.h"
#include "planner/mission/request.h"

namespace tidewise {

/// The keys of a mission file before they are validated. Several missions can be made from them.
struct MissionDocument {
  std::vector<TomlEntry> entries;
  std::string name;                         ///< name in messages
  std::filesystem::path folder;             ///< start of the file's relative paths
  std::filesystem::path default_directory;  ///< default folder of the run, without output.directory
};

/// Reads a mission file without validation of its keys. Errors: those of read_toml().
MissionDocument open_mission(const std::filesystem::path& path);

/// Returns the mission of a document with `changes` in place of equal keys. A start or target in
/// `changes` replaces the document's, even if one is in x and y and the other in degrees. Errors:
/// those of read_mission_file().
RunRequest make_mission(const MissionDocument& document, const std::vector<TomlEntry>& changes);

/// Reads a mission file; `settings` ("KEY=VALUE", as for --set) replace its keys. A relative path
/// in the file starts from the file's folder, in a setting from the working folder. Without
/// output.directory a run goes to runs/<name of the mission file>. Errors: InputError with file,
/// line, key, value and what is allowed.
RunRequest read_mission_file(const std::filesystem::path& path,
                             const std::vector<Setting>& settings = {});

/// Reads a mission from a text with absolute paths, as in a policy file. `name`: used in
/// messages.
RunRequest parse_mission(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings = {});

}  // namespace tidewise

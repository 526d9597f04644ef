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
  std::filesystem::path folder;             ///< relative paths of the file count from it
  std::filesystem::path default_directory;  ///< default folder of the run, without output.directory
};

/// Errors: those of read_toml.
MissionDocument open_mission(const std::filesystem::path& path);

/// The mission of a document with `changes` in place of equal keys. A start or target among them
/// displaces the document's, whether that is in x and y or in degrees. Errors: as below.
RunRequest make_mission(const MissionDocument& document, const std::vector<TomlEntry>& changes);

/// Reads a mission file; `settings` ("KEY=VALUE", as for --set) replace its keys. A relative path
/// in the file starts from the file's folder, in a setting from the working folder. Without
/// output.directory a run goes to runs/<name of the mission file>. Errors: InputError with file,
/// line, key, value and what is allowed.
RunRequest read_mission_file(const std::filesystem::path& path,
                             const std::vector<Setting>& settings = {});

/// Reads a mission from a text with absolute paths, as a policy file holds it. `name`: used in
/// messages.
RunRequest parse_mission(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings = {});

}  // namespace tidewise

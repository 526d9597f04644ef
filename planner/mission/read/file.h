#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/mission/read/toml_document.h"
#include "planner/mission/request.h"

namespace tidewise {

/// What a mission file says, key by key, before it is judged: several missions can be made of it.
struct MissionDocument {
  std::vector<TomlEntry> entries;
  std::string name;                         ///< what messages call it
  std::filesystem::path folder;             ///< relative paths of the file count from it
  std::filesystem::path default_directory;  ///< of the run, without output.directory
};

/// Errors: those of read_toml.
MissionDocument open_mission(const std::filesystem::path& path);

/// The mission of a document with `changes` in place of equal keys. A start or target among them
/// displaces the document's, whether that is in x and y or in degrees. Errors: as below.
RunRequest make_mission(const MissionDocument& document, const std::vector<TomlEntry>& changes);

/// Reads a mission file, with `settings` ("KEY=VALUE", as of --set) in place of its keys. A
/// relative path counts from the mission file's folder where the file says it, and from the working
/// folder where a setting does; without output.directory a run goes to runs/<name of the mission
/// file>. Errors: InputError with file, line, key, what was found and what is allowed.
RunRequest read_mission_file(const std::filesystem::path& path,
                             const std::vector<Setting>& settings = {});

/// The same of a text whose paths are absolute, as a policy file keeps it. `name` is what messages
/// call it.
RunRequest parse_mission(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings = {});

}  // namespace tidewise

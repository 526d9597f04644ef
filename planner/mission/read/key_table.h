#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// The table of all mission keys, with all facts about each. Defaults and units are
// in RunRequest; docs/missions.md explains each key.

/// The first stage of planning that depends on a key. Missions can share all stages before it.
enum class Changes {
  counts,   ///< transition counts
  policy,   ///< the actions of the policy
  flights,  ///< flights and their evaluation; the policy only through the last level
  files,    ///< the output files of the run
  nothing,  ///< no results: devices, threads, folders; a batch has one value for all its missions
};

/// A key of a mission.
struct MissionKey {
  /// Source of a key's value. Relative paths of a file start from `folder`.
  struct Source {
    const KeyReader& keys;
    const std::filesystem::path& folder;
  };

  std::string name;  ///< in full, with dots
  Changes changes;
  std::function<void(const Source&, RunRequest&)> read;  ///< keeps the default if the key is absent
  std::function<nlohmann::ordered_json(const RunRequest&)>
      echo;  ///< null if the key is not printed
  /// A common name of keys that set the same fact. A mission has one of them: a key of the command
  /// line removes the others from the file. Empty if there are no others.
  std::string says = {};
  bool holds_path = false;  ///< true if a text value is a path
  /// For a list of tables: the key in these tables whose text is a path. Empty for other keys.
  std::string path_in_tables = {};
  /// Returns the polygons of the key's value; empty for keys without polygons.
  std::function<std::vector<Polygon>(const RunRequest&)> polygons = {};
};
using MissionKeys = std::vector<MissionKey>;

/// Returns all keys in the order of printed missions.
const MissionKeys& mission_keys();

/// Adds a key at the end of the table during its lifetime, for tests of a single row. Only one may
/// exist at a time, and no other thread may read or make missions meanwhile.
class AddedKey {
 public:
  explicit AddedKey(MissionKey key);
  ~AddedKey();
  AddedKey(const AddedKey&) = delete;
  AddedKey& operator=(const AddedKey&) = delete;
};

/// Returns the key of this name; null if there is none.
const MissionKey* find_key(std::string_view name);

/// Reads each key's value into `request`, which holds the defaults. Relative paths of the file
/// start from `folder`. Errors: InputError, as of KeyReader.
void read_keys(const KeyReader& keys, const std::filesystem::path& folder, RunRequest& request);

/// Returns the keys that change one of the stages `changed`, table by table. The result is equal
/// for missions that can share these stages. With all stages, it is the requested mission,
/// independent of the machine.
nlohmann::ordered_json to_json(const RunRequest& request, const std::vector<Changes>& changed);

/// Refuses a request that no mission file could give, such as one without a speed or with a horizon
/// of 0 steps. resolution.h validates it with the environment. Errors: those of read_keys().
void validate_request(const RunRequest& request);

}  // namespace tidewise

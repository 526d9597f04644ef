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

// The table of all mission keys, with everything that is known about each. Defaults and units are
// in RunRequest; docs/missions.md explains each key.

/// The first stage of planning that depends on a key. Missions can share all stages before it.
enum class Changes {
  counts,   ///< transition counts
  policy,   ///< the best actions
  flights,  ///< flights and their evaluation, and at most, through the last level, the best policy
  files,    ///< the output files of the run
  nothing,  ///< neither: devices, threads and folders; a batch has one value for all its missions
};

struct MissionKey {
  /// Source of a key's value. Relative paths of a file start from `folder`.
  struct Source {
    const KeyReader& keys;
    const std::filesystem::path& folder;
  };

  std::string name;  ///< in full, with dots
  Changes changes;
  std::function<void(const Source&, RunRequest&)> read;  ///< leaves the default where it is absent
  std::function<nlohmann::ordered_json(const RunRequest&)> echo;  ///< null: the key is left out
  /// A common name of keys that set the same fact, of which a mission has one: a key of the command
  /// line removes the others from the file. Empty: there is no other.
  std::string says = {};
  bool holds_path = false;  ///< true if a text value is a path
  /// It is a list of tables, and text at this key of theirs is a path. Empty: it is no such list.
  std::string path_in_tables = {};
  /// The polygons that it gives, where it can give some.
  std::function<std::vector<Polygon>(const RunRequest&)> polygons = {};
};
using MissionKeys = std::vector<MissionKey>;

/// All keys, in the order in which a mission is printed.
const MissionKeys& mission_keys();

/// Adds a key at the end while this object exists: tests use it to see what a row alone does. Only
/// one at a time, and not while other threads read or make missions.
class AddedKey {
 public:
  explicit AddedKey(MissionKey key);
  ~AddedKey();
  AddedKey(const AddedKey&) = delete;
  AddedKey& operator=(const AddedKey&) = delete;
};

/// Null if there is no such key.
const MissionKey* find_key(std::string_view name);

/// Takes each key's value into `request`, which holds the defaults. Relative paths of the file
/// count from `folder`. Errors: InputError of KeyReader's kind.
void read_keys(const KeyReader& keys, const std::filesystem::path& folder, RunRequest& request);

/// The keys that change one of the stages `changed`, table by table: equal for missions that can
/// share these stages. With all stages: the mission as requested, independent of the machine.
nlohmann::ordered_json to_json(const RunRequest& request, const std::vector<Changes>& changed);

/// Refuses a request that no mission file could give, such as one without a speed or with a horizon
/// of 0 steps. resolution.h validates it with the environment. Errors: as above.
void validate_request(const RunRequest& request);

}  // namespace tidewise

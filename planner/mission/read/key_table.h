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

// The one table of what a mission file may say: each key with all that is known of it. Defaults and
// units stand in RunRequest; docs/missions.md explains each.

/// The first thing on a mission's way that another value of a key changes; what comes before it two
/// missions can share.
enum class Changes {
  counts,   ///< where actions lead
  policy,   ///< what is best to do
  flights,  ///< what becomes of it, and at most by way of the mission's last level what is best
  files,    ///< what is written of the run
  nothing,  ///< where the run is computed and written; a batch has one value for all its missions
};

struct MissionKey {
  /// What a key is read from; relative paths of the file count from `folder`.
  struct Source {
    const KeyReader& keys;
    const std::filesystem::path& folder;
  };

  std::string name;  ///< in full, with dots
  Changes changes;
  std::function<void(const Source&, RunRequest&)> read;  ///< leaves the default where it is absent
  std::function<nlohmann::ordered_json(const RunRequest&)> echo;  ///< null: the key is left out
  /// The same for all keys that say one thing by different means, of which a mission has one: what
  /// is typed displaces what the file says by another. Empty: there is no other.
  std::string says = {};
  bool holds_path = false;  ///< where its value is text
  /// It is a list of tables, and text at this key of theirs is a path. Empty: it is no such list.
  std::string path_in_tables = {};
  /// The polygons that it gives, where it can give some.
  std::function<std::vector<Polygon>(const RunRequest&)> polygons = {};
};
using MissionKeys = std::vector<MissionKey>;

/// Every key, in the order in which a mission is told again.
const MissionKeys& mission_keys();

/// One more key, at the end, for as long as this lives: tests add one to see what its row alone
/// does. While nobody else reads or makes missions; one at a time, or in turn.
class AddedKey {
 public:
  explicit AddedKey(MissionKey key);
  ~AddedKey();
  AddedKey(const AddedKey&) = delete;
  AddedKey& operator=(const AddedKey&) = delete;
};

/// Null where there is no such key.
const MissionKey* find_key(std::string_view name);

/// Takes each key's value into `request`, which holds the defaults. Relative paths of the file
/// count from `folder`. Errors: InputError of KeyReader's kind.
void read_keys(const KeyReader& keys, const std::filesystem::path& folder, RunRequest& request);

/// What the keys that change one of these say, table by table: equal for missions that can share
/// it. All of them: the mission as it was asked for, wherever it is run.
nlohmann::ordered_json to_json(const RunRequest& request, const std::vector<Changes>& changed);

/// Refuses a request that no mission file would be read as, such as one of no speed or of a horizon
/// of 0 steps; what the environment has to say comes after (resolution.h). Errors: as above.
void validate_request(const RunRequest& request);

}  // namespace tidewise

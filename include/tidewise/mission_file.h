#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tidewise/backend.h"
#include "tidewise/environment.h"
#include "tidewise/mission.h"
#include "tidewise/planner.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// The content of a mission file (docs/missions.md), before its environment is opened.
struct MissionFile : MissionRequest {
  std::string name = {};                   ///< name in messages: the path as given
  std::filesystem::path environment = {};  ///< absolute path; empty if the file names none
  EnvironmentNames names = {};             ///< names of the environment's variables
  PlanOptions planner = {};                ///< table [planner]
  FlightOptions rollout = {};              ///< table [rollout]
  /// Vertical speed on dives, down and up, for rehearsals and warnings [m s-1]; absent: 0.1.
  std::optional<double> vertical_speed = {};
  /// Arrival probability for which the failure penalty of lateness is searched (option
  /// --arrival-at-least); it has no key in the file.
  std::optional<double> arrival_at_least = {};
  /// Position of each key, such as "mission.toml:12", for messages.
  std::map<std::string, std::string, std::less<>> places = {};
};

/// Reads a mission file. `settings` ("KEY=VALUE", as --set takes them) replace keys of the file.
/// Errors: InputError with file, line, key, the value found and the allowed values.
MissionFile read_mission(const std::filesystem::path& file,
                         const std::vector<std::string>& settings = {});

/// Makes a mission from settings only, for an environment that is already open. Messages use `name`
/// in place of a path. Errors: those of read_mission().
MissionFile mission_of_settings(const std::vector<std::string>& settings, const std::string& name);

/// Full names of all keys of a mission file, such as "vehicle.speeds".
std::vector<std::string> mission_key_names();

/// Plans a mission in `environment`, not in the one that the file names. Messages cite the position
/// of a key. `progress` may be null. Errors: those of plan() in planner.h; exceptions of
/// `progress`.
Plan plan(const Environment& environment, const MissionFile& mission, Progress* progress = nullptr);

}  // namespace tidewise

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

/// What a mission file asks for (docs/missions.md), before it meets its environment.
struct MissionFile : MissionRequest {
  std::string name = {};                   ///< what messages call it: the path that was given
  std::filesystem::path environment = {};  ///< absolute; empty where none was asked for
  EnvironmentNames names = {};             ///< what that calls its variables
  PlanOptions planner = {};
  FlightOptions rollout = {};
  /// [m s-1] down and up on dives, for rehearsals and warnings; nothing: 0.1.
  std::optional<double> vertical_speed = {};
  /// The price of being late is sought by which the plan arrives with this probability; no key.
  std::optional<double> arrival_at_least = {};
  /// Where each key was given, such as "mission.toml:12", for messages.
  std::map<std::string, std::string, std::less<>> places = {};
};

/// Reads a mission file, with `settings` ("KEY=VALUE", as of --set) in place of its keys. Errors:
/// InputError with file, line, key, what was found and what is allowed.
MissionFile read_mission(const std::filesystem::path& file,
                         const std::vector<std::string>& settings = {});

/// A mission of settings alone, for an environment that is open already; messages call it `name`.
/// Errors: as above.
MissionFile mission_of_settings(const std::vector<std::string>& settings, const std::string& name);

/// The full names of all keys that a mission file may hold: "vehicle.speeds".
std::vector<std::string> mission_key_names();

/// plan() of a mission that was read, in `environment` rather than the one that it names; messages
/// say where a key was given. `progress` may be null. Errors: those of plan(); what `progress`
/// throws.
Plan plan(const Environment& environment, const MissionFile& mission, Progress* progress = nullptr);

}  // namespace tidewise

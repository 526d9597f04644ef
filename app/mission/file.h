#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/mission/toml_document.h"
#include "env/environment_names.h"
#include "model_builder/step/counting_engine.h"
#include "solver/step/mission.h"

namespace tidewise {

/// A point as the user gave it.
struct Position {
  enum class Frame { plane, geographic };

  Frame frame = Frame::plane;
  double first = 0;   ///< x [m or 1], or longitude [degrees east]
  double second = 0;  ///< y [m or 1], or latitude [degrees north]
};

/// GPUs that share a mission: every one there is, or these; none leaves it to `device` alone.
struct AllDevices {};
using DeviceChoice = std::variant<AllDevices, std::vector<std::int32_t>>;

enum class BackendChoice { automatic, cpu, cuda };
enum class RolloutChoice { none, continuous, chain };

/// Realizations that are flown through: all, the first so many, or these.
struct AllRealizations {};
using RealizationChoice = std::variant<AllRealizations, std::int32_t, std::vector<std::int32_t>>;

/// A mission as its file says it, before it meets its environment. What stands here are the
/// defaults; docs/missions.md explains every key.
struct MissionFile {
  struct Environment {
    std::filesystem::path file;  ///< absolute
    EnvironmentNames names;
  };
  struct Vehicle {
    std::vector<double> speeds;  ///< [m s-1 or 1] through the water
    std::int32_t headings = 16;
  };
  struct Goal {
    Objective objective = Objective::time;
    Position start;
    Position target;
    double target_radius = 0;             ///< [m or 1]
    std::int32_t departure = 0;           ///< time level
    std::optional<std::int32_t> horizon;  ///< steps; absent: to the last level
    double arrival_reward = 100;
    std::optional<double> failure_penalty;  ///< absent: by the mission's costs (resolve_mission)
    EnergyModel energy;
  };
  struct Planner {
    Engine engine = Engine::lattice;
    BackendChoice backend = BackendChoice::automatic;
    std::optional<std::int32_t> threads;  ///< absent: all cores that the process may use
    std::int32_t subgrid_radius = 0;      ///< [cells]; 0: as large as needed
    std::int32_t device = 0;              ///< which GPU
    DeviceChoice devices = std::vector<std::int32_t>{};  ///< prevails over `device`
    /// The most that a run may take of the GPU's memory [B]; absent: device_budget.h.
    std::optional<std::int64_t> device_memory;
    std::int32_t block_size = 64;  ///< threads a block of the paper engine on a GPU
  };
  struct Rollout {
    RolloutChoice mode = RolloutChoice::continuous;
    RealizationChoice realizations = AllRealizations{};
    std::int32_t flights = 10000;  ///< in chain mode
    std::uint64_t seed = 1;        ///< in chain mode
  };
  struct Output {
    std::filesystem::path directory;  ///< absolute
    std::vector<std::string> formats{"netcdf"};
  };

  std::string name;  ///< what messages call it: the path that was given
  Environment environment;
  Vehicle vehicle;
  Goal mission;
  Planner planner;
  Rollout rollout;
  Output output;
  std::map<std::string, std::string, std::less<>> places;  ///< where each key was given

  /// Where a key was given, or the mission's name where it was left to its default.
  const std::string& place(std::string_view key) const;
};

std::string_view to_string(BackendChoice choice);
std::string_view to_string(RolloutChoice choice);

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
MissionFile make_mission(const MissionDocument& document, const std::vector<TomlEntry>& changes);

/// Reads a mission file, with `settings` ("KEY=VALUE", as of --set) in place of its keys. A
/// relative path counts from the mission file's folder where the file says it, and from the working
/// folder where a setting does; without output.directory a run goes to runs/<name of the mission
/// file>. Errors: InputError with file, line, key, what was found and what is allowed.
MissionFile read_mission_file(const std::filesystem::path& path,
                              const std::vector<Setting>& settings = {});

/// The same of a text whose paths are absolute, as a policy file keeps it. `name` is what messages
/// call it.
MissionFile parse_mission(const std::string& text, const std::string& name,
                          const std::vector<Setting>& settings = {});

}  // namespace tidewise

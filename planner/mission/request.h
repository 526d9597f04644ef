#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "env/environment_names.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"
#include "tidewise/mission.h"
#include "tidewise/planner.h"

namespace tidewise {

/// All that is asked of a run, before it meets its environment: the mission, what plans and flies
/// it, and where the files go. What stands here are the defaults.
struct RunRequest {
  struct Environment {
    std::filesystem::path file;  ///< absolute
    EnvironmentNames names;
  };
  using Vehicle = MissionRequest::Vehicle;
  using Goal = MissionRequest::Goal;
  using Planner = PlanOptions;
  using Rollout = FlightOptions;
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
  /// The probability of arriving for which a price of failing was found
  /// (planner/run/arrival_constraint.h); no key of a mission.
  std::optional<double> arrival_at_least = {};
  /// Where each key was given, such as "mission.toml:12", for messages; keys are those of
  /// docs/missions.md.
  std::map<std::string, std::string, std::less<>> places = {};

  /// Where a key was given, or the mission's name where it was left to its default.
  const std::string& place(std::string_view key) const;
};

template <>
inline constexpr std::array<std::string_view, 3> words_of<BackendChoice>{"auto", "cpu", "cuda"};
template <>
inline constexpr std::array<std::string_view, 3> words_of<RolloutChoice>{"none", "continuous",
                                                                         "chain"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<BaselineChoice>{"none", "all"};

}  // namespace tidewise

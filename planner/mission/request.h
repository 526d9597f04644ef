#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "env/environment_names.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"
#include "tidewise/mission_file.h"

namespace tidewise {

/// A request for a run, before its environment is read: the mission, options of planner and
/// flights, and output folders. The members' values are the defaults.
struct RunRequest : MissionFile {
  struct Output {
    std::filesystem::path directory;  ///< absolute
    std::vector<std::string> formats{"netcdf"};
  };

  Output output = {};

  /// Origin of a key's value, or the mission's name if the key has its default.
  const std::string& place(std::string_view key) const {
    const auto known = places.find(key);
    return known == places.end() ? name : known->second;
  }
};

template <>
inline constexpr std::array<std::string_view, 3> words_of<BackendChoice>{"auto", "cpu", "cuda"};
template <>
inline constexpr std::array<std::string_view, 3> words_of<RolloutChoice>{"none", "continuous",
                                                                         "chain"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<BaselineChoice>{"none", "all"};

}  // namespace tidewise

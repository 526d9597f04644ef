#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise::test {

/// A random environment with missions through it: landing rule, profiles, weights, action holds,
/// via points, margins, objectives, targets, horizons and departures all vary.
struct RandomProblem {
  EnvironmentInfo info;
  PositionRule rule;
  std::vector<Action> actions;
  std::vector<Mission> missions;

  std::string description() const;
  /// Opens the environment file and chooses all profiles.
  EnvironmentReader open(const std::filesystem::path& path) const;
};

/// Makes a problem from a seed and writes its environment file.
RandomProblem make_random_problem(std::uint64_t seed, const std::filesystem::path& path);

}  // namespace tidewise::test

#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "env/environment_info.h"
#include "solver/step/mission.h"
#include "support/ocean/environment_builder.h"

namespace tidewise::test {

/// A small problem whose counts, values and policies have stored checksums. Its fields are rounded
/// to multiples of 2^-12, so that they do not depend on the last bits of a mathematical library.
struct GoldenProblem {
  std::string name;  ///< name of its file, without .txt
  EnvironmentInfo info;
  FillLevel fill;
  std::vector<double> speeds;
  std::int32_t headings = 0;
  std::int32_t target_column = 0;
  std::int32_t target_row = 0;

  /// Writes the environment file.
  void write(const std::filesystem::path& path) const;
  /// Returns a mission from level 0 to the last level, with a target of radius 1.
  Mission mission(Objective objective) const;
};

inline std::ostream& operator<<(std::ostream& stream, const GoldenProblem& problem) {
  return stream << problem.name;
}

/// Returns all problems:
/// - gyre: a double gyre with 32 actions; the plain case.
/// - weighted: the same with weights, some of them 0.
/// - many_actions: a smaller gyre with 128 actions, whose thresholds do not fit a small table.
/// - wide: displacements that differ by a dozen cells, a moving mask and a drift action, which
/// exceed the fast paths for narrow clouds.
std::vector<GoldenProblem> golden_problems();

}  // namespace tidewise::test

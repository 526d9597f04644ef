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

/// A small problem whose counts, values and policies are kept as checksums. Its fields are rounded
/// to multiples of 2^-12, so that mathematical libraries that differ in the last bit make the same
/// ones.
struct GoldenProblem {
  std::string name;  ///< name of its file, without .txt
  EnvironmentInfo info;
  FillLevel fill;
  std::vector<double> speeds;
  std::int32_t headings = 0;
  std::int32_t target_column = 0;
  std::int32_t target_row = 0;

  /// Level by level into an environment file.
  void write(const std::filesystem::path& path) const;
  /// From level 0 to the last, the target's cell and those within 1 of its centre.
  Mission mission(Objective objective) const;
};

inline std::ostream& operator<<(std::ostream& stream, const GoldenProblem& problem) {
  return stream << problem.name;
}

/// All problems:
/// - gyre: a double gyre with 32 actions; the plain case.
/// - weighted: the same with weights, one of them 0.
/// - many_actions: a smaller one with 128 actions, whose thresholds share no small table.
/// - wide: clouds of a dozen cells over a rough sea, a moving mask and a drift action, which exceed
/// the fast paths for narrow clouds.
std::vector<GoldenProblem> golden_problems();

}  // namespace tidewise::test

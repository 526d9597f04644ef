#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "golden/golden_problems.h"
#include "support/checksum.h"
#include "support/ocean/solving_backends.h"

namespace tidewise::test {

/// Checksums by what they are of: "environment", and by either rule of landing "area.counts",
/// "area.time.action", "area.time.value", …; 16 hexadecimal digits each.
using Checksums = std::map<std::string, std::string>;

std::string digits(const Checksum& checksum);

/// The fields that the problem is made of, as read from the environment file.
Checksums sum_environment(const EnvironmentReader& environment);
inline constexpr LandingBy landings[] = {LandingBy::area, LandingBy::cell};

/// Every count of every open cell, level by level: cell, action, offset, count.
Checksums sum_counts(const GoldenProblem& problem, LandingBy landing,
                     const EnvironmentReader& environment, const CountingBackend& backend);
/// Action and value of every level, for each objective.
Checksums sum_policies(const GoldenProblem& problem, LandingBy landing,
                       const EnvironmentReader& environment, const SolvingBackend& backend);

/// A text file: a line for each checksum, comments after #.
Checksums read_checksums(const std::filesystem::path& path);
void write_checksums(const std::filesystem::path& path, const Checksums& checksums);

}  // namespace tidewise::test

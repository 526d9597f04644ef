#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "golden/golden_problems.h"
#include "support/checksum.h"
#include "support/ocean/solving_backends.h"

namespace tidewise::test {

/// Checksums by name: "environment", and for each landing rule "area.counts", "area.time.action",
/// "area.time.value", …; 16 hexadecimal digits each.
using Checksums = std::map<std::string, std::string>;

/// Returns the 16 hexadecimal digits of a checksum.
std::string digits(const Checksum& checksum);

/// Returns the checksum of all fields of an environment file.
Checksums sum_environment(const EnvironmentReader& environment);
inline constexpr LandingBy landings[] = {LandingBy::area, LandingBy::cell};

/// Returns the checksum of all counts of open cells, in the order of level, cell, action and
/// offset.
Checksums sum_counts(const GoldenProblem& problem, LandingBy landing,
                     const EnvironmentReader& environment, const CountingBackend& backend);
/// Returns the checksums of actions and of values at all levels, for each objective.
Checksums sum_policies(const GoldenProblem& problem, LandingBy landing,
                       const EnvironmentReader& environment, const SolvingBackend& backend);

/// Read and write a text file with a line for each checksum and comments after #.
Checksums read_checksums(const std::filesystem::path& path);
void write_checksums(const std::filesystem::path& path, const Checksums& checksums);

}  // namespace tidewise::test

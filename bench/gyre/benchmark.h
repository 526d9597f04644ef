#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

/// Options of benchmark_gyre().
struct GyreBenchmarkOptions {
  // Sizes of the comparison with a Monte Carlo.
  std::int32_t cells = 32;  ///< on each side of the grid
  std::int32_t modes = 12;
  std::int32_t realizations = 5000;
  /// True: a fiftieth of the Monte Carlo and of the stage, for a test of the program.
  bool is_small = false;
  std::int32_t repeats = 15;
  std::int32_t threads = 1;
};

/// One method for the flow's mean and variance, and its distance from the Monte Carlo's, in
/// sampling errors (bench/gyre/comparison.h).
struct GyreSide {
  std::string name;
  std::int32_t realizations = 0;
  double mean_energy = 0;
  double variance = 0;  ///< variance of the velocity over the basin
  double mean_error = 0;
  double variance_error = 0;  ///< negative: less variance than the Monte Carlo
  double seconds = 0;
};

/// Results of benchmark_gyre().
struct GyreBenchmarkReport {
  std::string comparison;  ///< text about the compared methods
  std::vector<GyreSide> sides;
  double variance_outside = 0;  ///< share of the Monte Carlo's variance that the modes do not span
  BenchmarkReport stage;

  /// The report as a table.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Compares the wind-driven gyre by the dynamically orthogonal equations with a direct Monte Carlo
/// of the same discretised equations, and measures a stage at the published size. Errors:
/// InputError in a build without the gyre.
GyreBenchmarkReport benchmark_gyre(const GyreBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

struct GyreBenchmarkOptions {
  // The comparison with a Monte Carlo.
  std::int32_t cells = 32;  ///< a side of the grid
  std::int32_t modes = 12;
  std::int32_t realizations = 5000;
  bool is_small = false;  ///< a fiftieth of the Monte Carlo and of the stage, to see that all works
  std::int32_t repeats = 15;
  std::int32_t threads = 1;
};

/// One way to the flow's mean and variance, and how far it is from the Monte Carlo's, in sampling
/// errors (bench/gyre/comparison.h).
struct GyreSide {
  std::string name;
  std::int32_t realizations = 0;
  double mean_energy = 0;
  double variance = 0;  ///< of the velocity, over the basin
  double mean_error = 0;
  double variance_error = 0;  ///< less than the Monte Carlo's: negative
  double seconds = 0;
};

struct GyreBenchmarkReport {
  std::string comparison;  ///< what was compared
  std::vector<GyreSide> sides;
  double variance_outside = 0;  ///< share of the Monte Carlo's variance that the modes do not span
  BenchmarkReport stage;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// The wind-driven gyre by the dynamically orthogonal equations and by a direct Monte Carlo of the
/// same discretised equations; and the time of a stage at the published size.
/// Errors: InputError in a build without the gyre.
GyreBenchmarkReport benchmark_gyre(const GyreBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

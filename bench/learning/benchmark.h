#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

struct LearningBenchmarkOptions {
  std::int32_t realizations = 1000;
  std::int32_t modes = 10;
  std::int32_t levels = 200;
  std::int32_t legs = 100;  ///< observed, of two components each
  std::int32_t repeats = 7;
};

/// The ensemble smoother in memory, by each scheme and with localisation, beside no more than the
/// coefficients' way through double. One thread. Errors: InputError in a build without Eigen.
BenchmarkReport benchmark_learning(const LearningBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

/// Options of benchmark_learning().
struct LearningBenchmarkOptions {
  std::int32_t realizations = 1000;
  std::int32_t modes = 10;
  std::int32_t levels = 200;
  std::int32_t legs = 100;  ///< number of observed legs, of two components each
  std::int32_t repeats = 7;
};

/// Benchmarks the ensemble smoother in memory, by each scheme and with localisation, and a plain
/// conversion of the coefficients to double and back. One thread. Errors: InputError in a build
/// without Eigen.
BenchmarkReport benchmark_learning(const LearningBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

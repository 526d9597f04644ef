#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

/// Options of benchmark_model_builder().
struct ModelBuilderBenchmarkOptions {
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t headings = 16;  ///< at two speeds
  std::int32_t repeats = 7;
};

/// Benchmarks counting one level with the proportions of the published problem (200 × 200 cells),
/// in microseconds per cell: the sequential `paper` engine and `direct` on every hundredth cell,
/// because they are slow, and `lattice` with one and two threads and without the widest vectors.
/// The sides take turns.
BenchmarkReport benchmark_model_builder(const ModelBuilderBenchmarkOptions& options,
                                        Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

struct ModelBuilderBenchmarkOptions {
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t headings = 16;  ///< at two speeds
  std::int32_t repeats = 7;
};

/// Counting one level of the published problem's proportions (200 × 200 cells): microseconds a
/// cell, for the sequential `paper` engine and `direct` (on every hundredth cell, they are slow)
/// and for `lattice` on one and two threads and without the widest vectors. The sides take turns.
BenchmarkReport benchmark_model_builder(const ModelBuilderBenchmarkOptions& options,
                                        Progress& progress);

}  // namespace tidewise

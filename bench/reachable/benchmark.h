#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Options of benchmark_reachable().
struct ReachableBenchmarkOptions : BenchmarkSize {
  ReachableBenchmarkOptions() : BenchmarkSize{.steps = 150, .realizations = 1000, .modes = 4} {}

  std::int32_t repeats = 5;
  std::int32_t threads = 1;
};

/// Benchmarks replanning of a mission from the departure and from a third and two thirds of its
/// nominal flight, in the cells that the vehicle can still reach (solver/reachable/solver.h),
/// against the whole plan: seconds of the whole pass. The sides take turns. Errors: RunError if a
/// state has another value or action than in the whole plan.
BenchmarkReport benchmark_reachable(const ReachableBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

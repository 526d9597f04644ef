#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

struct ReachableBenchmarkOptions : BenchmarkSize {
  ReachableBenchmarkOptions() : BenchmarkSize{.steps = 150, .realizations = 1000, .modes = 4} {}

  std::int32_t repeats = 5;
  std::int32_t threads = 1;
};

/// Solving a mission anew from the departure, a third and two thirds of its nominal flight, in the
/// cells that the vehicle can still be in (solver/reachable/solver.h), beside the whole plan:
/// seconds of the whole pass. Sides take turns. Errors: RunError where a state has another value or
/// action than in the whole plan.
BenchmarkReport benchmark_reachable(const ReachableBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

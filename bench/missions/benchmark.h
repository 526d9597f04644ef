#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Options of benchmark_missions(). 0 steps: ten on the CPU, which are repeated more often, and 199
/// on a GPU.
struct MissionsBenchmarkOptions : BenchmarkSize {
  MissionsBenchmarkOptions() : BenchmarkSize{.steps = 0} {}

  std::int32_t missions = 100;
  /// Via points of one mission, which is then timed instead of many missions.
  std::int32_t via = 0;
  std::int32_t repeats = 3;
  std::int32_t threads = 1;  ///< number of CPU threads
  bool on_device = false;    ///< on the current GPU instead of the CPU
};

/// Benchmarks one mission, and many with different targets and objectives that share their counts:
/// seconds of the whole pass. On the CPU levels are read from a file and passed to sinks that read
/// them; on a GPU levels are in device memory and results are copied to host memory. With via
/// points: one mission without them, the legs each solved separately, all legs in one pass, and on
/// a GPU also all legs in one pass with separate counts. The sides take turns. Some of the many
/// missions are also solved one by one. Errors: RunError if these give another policy or other
/// values; InputError for a missing GPU.
BenchmarkReport benchmark_missions(const MissionsBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

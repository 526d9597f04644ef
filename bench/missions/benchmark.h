#pragma once

#include <cstdint>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Of 0 steps: ten on the CPU, which more repeat, 199 on a GPU.
struct MissionsBenchmarkOptions : BenchmarkSize {
  MissionsBenchmarkOptions() : BenchmarkSize{.steps = 0} {}

  std::int32_t missions = 100;
  std::int32_t via = 0;  ///< via points of one mission, which is timed in place of the many
  std::int32_t repeats = 3;
  std::int32_t threads = 1;  ///< of the CPU
  bool on_device = false;    ///< on the current GPU instead of the CPU
};

/// Solving one mission by itself, and many of different targets and objectives that share their
/// counts: seconds of the whole pass. On the CPU levels are read from a file, and handed over to
/// sinks that read them; on a GPU levels lie there, and what is found comes back to the host's
/// memory. With via points: one mission without them, the legs each solved by itself, and all legs
/// in one pass, on a GPU as members of a group without what they take over. The sides take turns.
/// Some of the many are solved alone as well. Errors: RunError where those give another policy or
/// other values; InputError where a GPU is asked for that is not there.
BenchmarkReport benchmark_missions(const MissionsBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Options of benchmark_explicit().
struct ExplicitBenchmarkOptions : BenchmarkSize {
  std::int32_t repeats = 7;
  std::int32_t threads = 1;  ///< threads that count the level before the measurement
};

/// Size of the model that one side reads, and speed of reading.
struct ModelBandwidth {
  std::string name;
  double stored_bytes = 0;    ///< the model as this side stores it
  double compact_bytes = 0;   ///< row_start, offset and count, whichever form the side stores
  double seconds = 0;         ///< one backup, median
  double copy_bandwidth = 0;  ///< [B/s] read and written by a copy on the device, median
};

/// Results of benchmark_explicit().
struct ExplicitBenchmarkReport {
  BenchmarkReport times;
  std::vector<ModelBandwidth> bandwidths;

  /// The report as a table.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Benchmarks the backup of one level, with the proportions of the published problem, from the
/// explicit model in device memory: each method, cuSPARSE if the build has it, and a copy of as
/// many bytes on the device. ExplicitDeviceBackup::prepare(), which depends on no values, is not
/// timed, except by one side. The sides take turns. Results are compared with the bits of the CPU,
/// those of cuSPARSE to 1e-4. Errors: InputError without a device; RunError if a side gives another
/// result.
ExplicitBenchmarkReport benchmark_explicit(const ExplicitBenchmarkOptions& options,
                                           Progress& progress);

}  // namespace tidewise

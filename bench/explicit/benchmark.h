#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

struct ExplicitBenchmarkOptions : BenchmarkSize {
  std::int32_t repeats = 7;
  std::int32_t threads = 1;  ///< for counting the level beforehand
};

/// How much of the model one side read, and how fast.
struct ModelBandwidth {
  std::string name;
  double stored_bytes = 0;    ///< of the model as this side stores it
  double compact_bytes = 0;   ///< of row_start, offset and count, whatever the side stores
  double seconds = 0;         ///< one backup, median
  double copy_bandwidth = 0;  ///< [B/s] read and written by a copy on the device, median
};

struct ExplicitBenchmarkReport {
  BenchmarkReport times;
  std::vector<ModelBandwidth> bandwidths;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// Backing up one level of the published problem's proportions from the explicit model held on the
/// device: each of our methods, cuSPARSE where the build holds it, and a copy of as many bytes on
/// the device. What depends on no value (ExplicitDeviceBackup::prepare) is done beforehand, but for
/// one side that shows what it adds. The sides take turns. Ours are checked against the CPU's bits,
/// cuSPARSE's values to 1e-4. Errors: InputError without a device; RunError where a side gives
/// something else.
ExplicitBenchmarkReport benchmark_explicit(const ExplicitBenchmarkOptions& options,
                                           Progress& progress);

}  // namespace tidewise

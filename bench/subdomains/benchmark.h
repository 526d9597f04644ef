#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Options of benchmark_subdomains().
struct SubdomainsBenchmarkOptions : BenchmarkSize {
  SubdomainsBenchmarkOptions() : BenchmarkSize{.cells = 1000, .realizations = 1000} {}

  std::vector<std::int32_t> counts = {
      1, 2, 4};  ///< numbers of devices; those above the available number are skipped
  std::int32_t repeats = 7;
};

/// Times of one device in a pass, the median over the repeats [s].
struct SubdomainShare {
  std::int32_t rows = 0;
  double solve = 0;
  double exchange = 0;  ///< including waiting for neighbours
  double wait = 0;      ///< for the level's preparation
  double prepare = 0;   ///< overlaps with the rest
};

/// Losses of several devices compared with an even share of one device's time [s].
struct SubdomainLosses {
  double even_share = 0;   ///< one device's solving time divided by the number of devices
  double more_work = 0;    ///< additional work of all bands: halos, waves that are not full
  double imbalance = 0;    ///< the slowest band of each level minus the mean
  double exchange = 0;     ///< minimum over the bands of each level, without waiting
  double preparation = 0;  ///< time of preparation that the rest does not hide
  double rest = 0;  ///< first and last level, host; minus waits that later levels make up for
};

/// One division of the grid.
struct SubdomainsSide {
  std::string name;
  std::int32_t devices = 1;
  std::vector<SubdomainShare> subdomains;  ///< (band), from south to north
  SubdomainLosses losses;                  ///< losses of several devices
};

/// Results of benchmark_subdomains().
struct SubdomainsBenchmarkReport {
  BenchmarkReport times;
  std::int32_t halo = 0;  ///< rows
  std::vector<SubdomainsSide> sides;
  std::vector<std::int32_t> left_out;  ///< numbers of devices that this host does not have

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Benchmarks one mission over bands of rows on 1, 2, 4 devices of this host in turn, from levels
/// in device memory: bands of equal heights, and bands of equal time. All must give the bits of one
/// device at every level. Aims are reported only for the default sizes. Errors: InputError without
/// a device; RunError if a side gives another result.
SubdomainsBenchmarkReport benchmark_subdomains(const SubdomainsBenchmarkOptions& options,
                                               Progress& progress);

}  // namespace tidewise

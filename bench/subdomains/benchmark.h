#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

struct SubdomainsBenchmarkOptions : BenchmarkSize {
  SubdomainsBenchmarkOptions() : BenchmarkSize{.cells = 1000, .realizations = 1000} {}

  std::vector<std::int32_t> counts = {1, 2,
                                      4};  ///< of devices; those that are not there are left out
  std::int32_t repeats = 7;
};

/// What one device did in a pass, as the median over the repeats [s].
struct SubdomainShare {
  std::int32_t rows = 0;
  double solve = 0;
  double exchange = 0;  ///< waiting for the neighbours included
  double wait = 0;      ///< for the level's preparation
  double prepare = 0;   ///< beside the rest
};

/// Where the time of several devices goes, beside an even share of one device's [s].
struct SubdomainLosses {
  double even_share = 0;  ///< one device's solving, by the number of devices
  double more_work = 0;   ///< what the bands take more between them: halos, waves that are not full
  double imbalance = 0;   ///< the slowest band of each level over the mean
  double exchange = 0;    ///< of each level where it took least: where nobody was waited for
  double preparation = 0;  ///< not hidden behind the rest
  double rest = 0;         ///< the first and the last level, the host; waits that others made good
};

/// One way to divide the grid.
struct SubdomainsSide {
  std::string name;
  std::int32_t devices = 1;
  std::vector<SubdomainShare> subdomains;  ///< (band), from south to north
  SubdomainLosses losses;                  ///< of more than one device
};

struct SubdomainsBenchmarkReport {
  BenchmarkReport times;
  std::int32_t halo = 0;  ///< rows
  std::vector<SubdomainsSide> sides;
  std::vector<std::int32_t> left_out;  ///< numbers of devices that are not here

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// One mission over bands of rows on several devices of this host, from levels that lie on them, on
/// 1, 2, 4 devices in turn: bands of equal heights, and bands that take as long. All have to meet
/// the bits of one device at every level. Aims stand beside figures of the default sizes only.
/// Errors: InputError without a device; RunError where a side gives something else.
SubdomainsBenchmarkReport benchmark_subdomains(const SubdomainsBenchmarkOptions& options,
                                               Progress& progress);

}  // namespace tidewise

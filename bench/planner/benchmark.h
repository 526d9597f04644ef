#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/growth.h"
#include "bench/report.h"
#include "bench/size.h"

namespace tidewise {

/// Options of benchmark_planner(). One side has four times as many headings. Landings are assigned
/// to the nearest cell by default, as in the publication.
struct PlannerBenchmarkOptions : BenchmarkSize {
  PlannerBenchmarkOptions() { landing = LandingBy::cell; }

  std::int32_t repeats =
      7;  ///< number of runs of `direct` and `lattice`; the published method runs once
  std::int32_t threads = 1;  ///< number of CPU threads, for checks
};

/// Result of one side over all steps.
struct WholeProblem {
  std::string side;
  double seconds = 0;
  std::vector<double> at_most;  ///< aims [s]; empty if nothing is claimed
};

/// Result of the largest problem.
struct LargestProblem {
  std::string title;
  double states = 0;
  std::vector<double> seconds;  ///< (repeat)
  double memory = 0;            ///< maximum device memory [B]
};

/// Times of one variant of the published method.
struct PublishedSide {
  std::string name;
  double build = 0;  ///< [s]
  double solve = 0;  ///< [s]
};

/// Time of one level of the published method with another block size of one kernel.
struct PublishedBlockTime {
  std::string kernel;
  std::int32_t threads = 0;
  double milliseconds = 0;
};

/// Results of benchmark_planner().
struct PlannerBenchmarkReport {
  BenchmarkReport times;
  std::int32_t steps = 0;
  std::vector<WholeProblem> wholes;
  double published_entries = 0;  ///< entries of P, all levels
  std::vector<PublishedSide> published;
  std::vector<PublishedBlockTime> blocks;

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Results of measure_growth().
struct PlannerGrowthReport {
  std::string title;
  std::string machine;
  std::vector<Growth> growths;
  LargestProblem largest;

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Benchmarks the solution of a mission from all its levels, which are in device memory: the
/// published method in single precision, appended on the host and on the device; its integer
/// variant (`paper`: only the model, without a solve); `direct` and `lattice`, which count and back
/// up in one kernel. First each side must give the bits of the CPU on a small problem. Aims are
/// reported only for the published problem. Errors: InputError without a device; RunError if a side
/// gives another result.
PlannerBenchmarkReport benchmark_planner(const PlannerBenchmarkOptions& options,
                                         Progress& progress);

/// Measures the growth of `lattice` with realizations, actions, modes, cells and levels, and the
/// largest problem: 1000 × 1000 cells, 200 levels, 32 actions, 1000 realizations, 10 modes. Sizes
/// that do not grow are those of `options`. Errors: InputError without a device.
PlannerGrowthReport measure_growth(const PlannerBenchmarkOptions& options, Progress& progress);

}  // namespace tidewise

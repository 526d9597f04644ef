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

/// On one side there are four times as many headings. Landings are by cell, as published, unless
/// asked otherwise.
struct PlannerBenchmarkOptions : BenchmarkSize {
  PlannerBenchmarkOptions() { landing = LandingBy::cell; }

  std::int32_t repeats = 7;  ///< of `direct` and `lattice`; the published method runs once
  std::int32_t threads = 1;  ///< of the CPU, for checks
};

/// What one side comes to over all steps.
struct WholeProblem {
  std::string side;
  double seconds = 0;
  std::vector<double> at_most;  ///< aims [s]; empty where nothing is claimed
};

/// The largest problem.
struct LargestProblem {
  std::string title;
  double states = 0;
  std::vector<double> seconds;  ///< (repeat)
  double memory = 0;            ///< of the device, the most held at once [B]
};

/// One way to run the published method.
struct PublishedSide {
  std::string name;
  double build = 0;  ///< [s]
  double solve = 0;  ///< [s]
};

/// One level of it, with other threads in a block of one kernel.
struct PublishedBlockTime {
  std::string kernel;
  std::int32_t threads = 0;
  double milliseconds = 0;
};

struct PlannerBenchmarkReport {
  BenchmarkReport times;
  std::int32_t steps = 0;
  std::vector<WholeProblem> wholes;
  double published_entries = 0;  ///< of P, all levels
  std::vector<PublishedSide> published;
  std::vector<PublishedBlockTime> blocks;
  std::vector<Growth> growths;
  std::optional<LargestProblem> largest;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// Solving a mission on levels that lie on the GPU, all levels of it: the published method in
/// single precision, appended on the host and on the device; its integer variant (`paper`: the
/// model alone, without a solve); `direct` and `lattice`, which count and back up in one. Before
/// that each has to meet the CPU's bits on a small problem. Aims stand beside figures of the
/// published problem only. Errors: InputError without a device; RunError where a side gives
/// something else.
PlannerBenchmarkReport benchmark_planner(const PlannerBenchmarkOptions& options,
                                         Progress& progress);

/// Adds how `lattice` grows with realizations, actions, cells and levels, and the largest problem:
/// 1000 × 1000 cells, 200 levels, 32 actions, 1000 realizations, 10 modes. What does not grow is as
/// in `options`. Errors: the same.
void measure_growth(const PlannerBenchmarkOptions& options, PlannerBenchmarkReport& report,
                    Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

/// Options of benchmark_savings().
struct SavingsBenchmarkOptions {
  std::int32_t repeats = 5;
  std::int32_t threads = 1;
  bool on_device = false;  ///< also on the current GPU
  bool is_small = false;   ///< a hundredth of the assets of larger problems
};

/// Results of benchmark_savings().
struct SavingsBenchmarkReport {
  std::vector<BenchmarkReport> problems;  ///< [ms] of a solve, one report for each problem
  bool has_equal_values =
      true;  ///< true if all sides of a problem have the same values, to the last bit

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Benchmarks value function iteration of the household savings problem on the CPU and the GPU: on
/// the grid with 330 × 3 states and by golden section with 128 × 30, as in lectures, and larger
/// problems; golden section on the GPU with and without shared memory. Errors: those of
/// solve_savings().
SavingsBenchmarkReport benchmark_savings(const SavingsBenchmarkOptions& options,
                                         Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"

namespace tidewise {

struct SavingsBenchmarkOptions {
  std::int32_t repeats = 5;
  std::int32_t threads = 1;
  bool on_device = false;  ///< also on the current GPU
  bool is_small = false;   ///< a hundredth of the larger problems' assets
};

struct SavingsBenchmarkReport {
  std::vector<BenchmarkReport> problems;  ///< [ms] of a solve, a report per problem
  bool has_equal_values = true;           ///< of all sides of a problem, to the last bit

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// Value function iteration of the household savings problem on the CPU and the GPU: on the grid
/// with 330 × 3 states and golden section with 128 × 30, as in lectures, and larger problems;
/// golden section on the GPU with and without shared memory. Errors: those of solve_savings().
SavingsBenchmarkReport benchmark_savings(const SavingsBenchmarkOptions& options,
                                         Progress& progress);

}  // namespace tidewise

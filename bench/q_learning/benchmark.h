#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "mdp/process/solution.h"

namespace tidewise {

/// Options of benchmark_q_learning().
struct QLearningBenchmarkOptions {
  std::int32_t moves = 4;  ///< in the mine field of 46 × 46 cells: 4 or 8
  std::int32_t agents = 512;
  std::int32_t steps = 20'000;  ///< number of rounds
  std::int32_t repeats = 5;
  std::int32_t threads = 1;
  bool on_device = false;  ///< also on the current GPU, with and without warp reductions
};

/// Improvement of the greedy policy while learning with one seed.
struct LearningCurve {
  std::uint64_t seed = 0;
  std::vector<double> loss;  ///< (point): (V* − V_π) / |V*| in the initial state [%]
};

/// Results of benchmark_q_learning().
struct QLearningBenchmarkReport {
  BenchmarkReport times;  ///< [µs] of a round
  std::vector<mdp::LearningLaunch> launches;
  bool has_equal_values = true;      ///< true if all sides have the same values, to the last bit
  double optimum = 0;                ///< V* in the initial state
  std::vector<std::int64_t> rounds;  ///< rounds at the curves' points
  std::vector<LearningCurve> curves;

  /// The report as tables.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Benchmarks Q-learning of the mine field with the default settings: the time of a round on each
/// side, and curves of ten seeds whose policies are evaluated on the model. Errors: InputError for
/// invalid options.
QLearningBenchmarkReport benchmark_q_learning(const QLearningBenchmarkOptions& options,
                                              Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/report.h"
#include "mdp/process/solution.h"

namespace tidewise {

struct QLearningBenchmarkOptions {
  std::int32_t moves = 4;  ///< of the mine field of 46 × 46 cells: 4 or 8
  std::int32_t agents = 512;
  std::int32_t steps = 20'000;  ///< rounds
  std::int32_t repeats = 5;
  std::int32_t threads = 1;
  bool on_device = false;  ///< also on the current GPU, with and without warp reductions
};

/// How the greedy policy improves while one seed learns.
struct LearningCurve {
  std::uint64_t seed = 0;
  std::vector<double> loss;  ///< (V* − V_π) / |V*| in the initial state [%], by rounds
};

struct QLearningBenchmarkReport {
  BenchmarkReport times;  ///< [µs] of a round
  std::vector<mdp::LearningLaunch> launches;
  bool has_equal_values = true;      ///< of all sides, to the last bit
  double optimum = 0;                ///< V* in the initial state
  std::vector<std::int64_t> rounds;  ///< of the curves' points
  std::vector<LearningCurve> curves;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// Q-learning of the mine field with the default settings: the time of a round on each side, and
/// curves of ten seeds whose policies are evaluated on the model. Errors: InputError for options
/// that cannot be.
QLearningBenchmarkReport benchmark_q_learning(const QLearningBenchmarkOptions& options,
                                              Progress& progress);

}  // namespace tidewise

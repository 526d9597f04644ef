#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"

namespace tidewise {

/// Options of benchmark_published().
struct PublishedBenchmarkOptions {
  bool quick = false;  ///< small sizes, for a test of the program
  /// The sequential loop computes a random sample of 1 in `sample` states, 10 to 2000 in all.
  std::int32_t sample = 100;
  std::uint64_t seed = 1;  ///< seed of the sample
};

/// Results for one size of the problem.
struct PublishedPoint {
  std::string sweep;  ///< the varied size: "states", "actions" or "realizations"
  double states = 0;  ///< cells · levels
  std::int32_t actions = 0;
  std::int32_t realizations = 0;
  double sampled = 0;              ///< number of states in the loop's sample
  double sampled_seconds = 0;      ///< time of the loop for the sample [s]
  std::optional<double> gpu = {};  ///< time to build the model and solve it on a GPU [s]

  /// Time of the loop for all states, extrapolated from the sample [s].
  double sequential() const { return sampled_seconds * states / sampled; }
};

/// Results of benchmark_published().
struct PublishedBenchmarkReport {
  std::string title;
  std::string machine;
  std::vector<PublishedPoint> points;

  /// The report as a table.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Measures how the run time of the method of Chowdhury & Subramani grows with the problem (figure
/// 8 of their paper), on a double gyre. On the GPU the method builds the model, appends it in host
/// memory and solves it. On one core of the host, the sequential loop builds the model for a random
/// sample of states. Without a GPU, only the loop is measured.
PublishedBenchmarkReport benchmark_published(const PublishedBenchmarkOptions& options,
                                             Progress& progress);

}  // namespace tidewise

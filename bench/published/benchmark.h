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
  bool quick = false;         ///< small sizes, for a test of the program
  std::int32_t sample = 100;  ///< the loop takes one of this many states, drawn at random
  std::uint64_t seed = 1;     ///< seed of that draw
};

/// Results for one size of the problem.
struct PublishedPoint {
  std::string sweep;  ///< the size that grows: "states", "actions" or "realizations"
  double states = 0;  ///< cells · levels
  std::int32_t actions = 0;
  std::int32_t realizations = 0;
  double sampled = 0;              ///< number of states in the loop's sample
  double sampled_seconds = 0;      ///< loop's time for the sample
  std::optional<double> gpu = {};  ///< model and solve [s]; none without a GPU

  /// The loop's time for all states [s].
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

/// Measures the published method's growth (figure 8 of its paper) on a double gyre: whole problems
/// on the GPU as published (model appended on the host, and solve), and the same model by the plain
/// loop on one core of this host, for a random sample of states. Without a GPU only the loop.
PublishedBenchmarkReport benchmark_published(const PublishedBenchmarkOptions& options,
                                             Progress& progress);

}  // namespace tidewise

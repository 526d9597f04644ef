#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"

namespace tidewise {

struct PublishedBenchmarkOptions {
  bool quick = false;         ///< small sizes, for a test of the program
  std::int32_t sample = 100;  ///< the loop takes every so many states, drawn at random
  std::uint64_t seed = 1;     ///< of that draw
};

/// One size of the problem.
struct PublishedPoint {
  std::string sweep;  ///< what grows: "states", "actions" or "realizations"
  double states = 0;  ///< cells · levels
  std::int32_t actions = 0;
  std::int32_t realizations = 0;
  double sampled = 0;              ///< states that the loop took
  double sampled_seconds = 0;      ///< for them
  std::optional<double> gpu = {};  ///< model and solve [s]; none without a GPU

  /// The loop's time for all states [s].
  double sequential() const { return sampled_seconds * states / sampled; }
};

struct PublishedBenchmarkReport {
  std::string title;
  std::string machine;
  std::vector<PublishedPoint> points;

  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// The published method's growth (figure 8 of its paper): on a double gyre, whole problems on the
/// GPU as published (model appended on the host, and solve), and the same model by the plain loop
/// on one core of this host, of a random sample of states. Without a GPU the loop alone.
PublishedBenchmarkReport benchmark_published(const PublishedBenchmarkOptions& options,
                                             Progress& progress);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"

namespace tidewise {

/// One side of a benchmark: samples of the time of one unit of work.
struct BenchmarkSide {
  std::string name;
  std::vector<double> samples;  ///< in the report's unit
};

/// A claim: side `slow` takes at least `min` and at most `max` times as long as side `fast`; 0:
/// no bound.
struct BenchmarkRatio {
  std::string slow;
  std::string fast;
  double min = 0;
  double max = 0;
};

/// Results of a benchmark.
struct BenchmarkReport {
  std::string title;
  std::string machine;
  std::string unit;
  std::vector<BenchmarkSide> sides;
  std::vector<BenchmarkRatio> ratios;

  /// Ratio of two sides: the median over pairs of samples, which were taken in turn; the ratio of
  /// the medians if one side has more samples.
  double median_ratio(const std::string& slow, const std::string& fast) const;
  /// The report as a table.
  std::string to_text() const;
  /// The report as JSON.
  nlohmann::ordered_json to_json() const;
};

/// Median. Requires at least one value.
double median(std::vector<double> values);

/// A side that takes a sample in each round.
struct BenchmarkContender {
  std::string name;
  std::function<double(std::int32_t round)> measure;  ///< in the report's unit
};

/// one_round: an additional round, numbered 0, precedes those that count.
enum class WarmUp { none, one_round };

/// Measures contenders in turn, `repeats` rounds that count, and adds their samples to the report's
/// sides.
void measure_in_turn(const std::vector<BenchmarkContender>& contenders, std::int32_t repeats,
                     WarmUp warm_up, BenchmarkReport& report, Progress& progress);

}  // namespace tidewise

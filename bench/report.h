#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"

namespace tidewise {

/// One side of a benchmark: the time of one unit of work, several times measured.
struct BenchmarkSide {
  std::string name;
  std::vector<double> samples;  ///< in the report's unit
};

/// A claim: side `slow` takes at least `least` and at most `most` times as long as side `fast`; 0
/// claims nothing.
struct BenchmarkRatio {
  std::string slow;
  std::string fast;
  double least = 0;
  double most = 0;
};

/// What a benchmark measured.
struct BenchmarkReport {
  std::string title;
  std::string machine;
  std::string unit;
  std::vector<BenchmarkSide> sides;
  std::vector<BenchmarkRatio> ratios;

  /// The ratio of two sides, sample by sample (they were taken in turn), as its median; that of
  /// their medians where one was measured more often.
  double median_ratio(const std::string& slow, const std::string& fast) const;
  /// A table for people.
  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

double median(std::vector<double> values);

/// A side that takes a sample a round.
struct BenchmarkContender {
  std::string name;
  std::function<double(std::int32_t round)> measure;  ///< in the report's unit
};

/// Whether a round, of number 0, comes before those that count.
enum class WarmUp { none, one_round };

/// Measures contenders in turn, so many rounds that count, and adds them to the report's sides.
void measure_in_turn(const std::vector<BenchmarkContender>& contenders, std::int32_t repeats,
                     WarmUp warm_up, BenchmarkReport& report, Progress& progress);

}  // namespace tidewise

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tidewise {

/// Measurements of one size of a problem.
struct GrowthPoint {
  double size = 0;
  std::vector<double> samples;  ///< in the unit of Growth
  double memory = 0;            ///< maximum device memory [B]
};

/// Growth of time and memory with one size of a problem while the others are constant.
struct Growth {
  std::string along;      ///< the size that grows, e.g. "realizations"
  std::string constants;  ///< the constant sizes, in words
  std::string unit;       ///< unit of the samples
  std::vector<GrowthPoint> points;

  /// Slope of log time (medians) against log size, by least squares: 1 if time is proportional to
  /// size. Requires at least two sizes.
  double slope() const;
  /// slope() between the last two sizes, where constant costs have the least effect.
  double last_slope() const;
  /// The report as a table.
  std::string to_text() const;
  /// The points and slopes as JSON.
  nlohmann::ordered_json to_json() const;
};

}  // namespace tidewise

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tidewise {

/// One size of a problem, several times measured.
struct GrowthPoint {
  double size = 0;
  std::vector<double> samples;  ///< in the sweep's unit
  double memory = 0;            ///< of the device, the most held at once [B]
};

/// How time and memory grow along one size of a problem while the others are held.
struct Growth {
  std::string along;  ///< what grows, e.g. "realizations"
  std::string held;   ///< the others, for people
  std::string unit;   ///< of the samples
  std::vector<GrowthPoint> points;

  /// Of log time (medians) against log size, by least squares: 1 where time is proportional to
  /// size. Requires two sizes at least.
  double slope() const;
  /// The same between the last two sizes, where what does not grow weighs least.
  double last_slope() const;
  /// A table for people.
  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

}  // namespace tidewise

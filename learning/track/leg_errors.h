#pragma once

#include <algorithm>
#include <cmath>

#include "learning/track/track_rows.h"

namespace tidewise {

/// Standard deviations of what a leg says of its mean flow.
class LegErrors {
 public:
  /// `last_digit`: between two neighbouring numbers of a position [m or 1].
  LegErrors(const TrackRows& rows, double last_digit)
      : options_(rows.options()), is_metric_(rows.is_metric()), last_digit_(last_digit) {}

  /// `said`: by the file, 0 where it does not.
  PlaneVector of(PlaneVector said, double duration, bool by_fixes) const {
    const double fix = by_fixes ? of_fix() : 0;
    const auto of = [&](double own) {
      const double observed = own > 0 ? own : of_instrument();
      return std::sqrt(observed * observed + 2 * fix * fix / (duration * duration) +
                       of_representation() * of_representation());
    };
    return {of(said.x), of(said.y)};
  }
  /// Of a motion through the water: made good less a current that is `told`, with the file's own
  /// error, 0 where it has none, or else less that of a forecast, without this one's spread.
  PlaneVector of_motion(bool is_told, PlaneVector said, double duration) const {
    const double fix = of_fix();
    const auto of = [&](double own) {
      const double current = is_told ? (own > 0 ? own : of_instrument()) : of_representation();
      return std::sqrt(current * current + 2 * fix * fix / (duration * duration));
    };
    return {of(said.x), of(said.y)};
  }
  double of_instrument() const { return options_.error.value_or(is_metric_ ? default_error : 0); }
  double of_fix() const {
    if (options_.fix_error) return *options_.fix_error;
    return is_metric_ ? std::max(default_fix_error, last_digit_ / std::sqrt(12.0)) : 0;
  }
  double of_representation() const {
    return options_.representation.value_or(is_metric_ ? default_representation : 0);
  }

 private:
  // [m/s] of a glider's depth-averaged current: 0.01 to 0.02 by Rudnick, Sherman & Wu (2018), J.
  // Atmos. Oceanic Technol. 35, 1665-1673
  static constexpr double default_error = 0.02;
  static constexpr double default_fix_error = 10;         // [m] of a GPS fix
  static constexpr double default_representation = 0.03;  // [m/s] of cells of some km

  const TrackOptions& options_;
  bool is_metric_;
  double last_digit_;
};

}  // namespace tidewise

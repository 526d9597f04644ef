#pragma once

#include <algorithm>
#include <cmath>

#include "learning/track/track_rows.h"

namespace tidewise {

/// Standard deviations of a leg's observed mean flow.
class LegErrors {
 public:
  /// `position_resolution`: as TrackFixes::position_resolution().
  LegErrors(const TrackRows& rows, double position_resolution)
      : options_(rows.options()),
        is_metric_(rows.is_metric()),
        position_resolution_(position_resolution) {}

  /// Error of a leg's mean flow. `file_error`: the file's error, 0 if it has none; `by_fixes`: the
  /// flow comes from fixes.
  PlaneVector of(PlaneVector file_error, double duration, bool by_fixes) const {
    const double fix = by_fixes ? of_fix() : 0;
    const auto component_error = [&](double stated) {
      const double observed = stated > 0 ? stated : of_instrument();
      return std::sqrt(observed * observed + 2 * fix * fix / (duration * duration) +
                       of_representation() * of_representation());
    };
    return {component_error(file_error.x), component_error(file_error.y)};
  }
  /// Error of a motion through the water, which is the motion made good minus a current. The
  /// current is that of the file (`by_file`), with the file's error `file_error`, 0 if it has none,
  /// or else that of a forecast, whose spread is not included.
  PlaneVector of_motion(bool by_file, PlaneVector file_error, double duration) const {
    const double fix = of_fix();
    const auto component_error = [&](double stated) {
      const double current =
          by_file ? (stated > 0 ? stated : of_instrument()) : of_representation();
      return std::sqrt(current * current + 2 * fix * fix / (duration * duration));
    };
    return {component_error(file_error.x), component_error(file_error.y)};
  }
  /// Error of a measured current component.
  double of_instrument() const { return options_.error.value_or(is_metric_ ? default_error : 0); }
  /// Error of a fix's coordinate [m or 1], at least the rounding of positions.
  double of_fix() const {
    if (options_.fix_error) return *options_.fix_error;
    return is_metric_ ? std::max(default_fix_error, position_resolution_ / std::sqrt(12.0)) : 0;
  }
  /// Representation error of a current component.
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
  double position_resolution_;
};

}  // namespace tidewise

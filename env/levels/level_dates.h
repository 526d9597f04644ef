#pragma once

#include <string>
#include <vector>

#include "env/grid.h"

namespace tidewise {

class EnvironmentReader;

/// The dates of an environment's levels, if its time axis counts from a date. Dates of calendars
/// with years of one length are taken as the same dates of the real calendar (TimeUnits).
class LevelDates {
 public:
  /// Reads the dates of an environment.
  explicit LevelDates(const EnvironmentReader& environment);

  /// True if the levels have dates.
  bool known() const { return !seconds_.empty(); }
  /// Time of level k [s since 1970-01-01T00:00:00Z]. Requires known().
  double at(TimeLevel k) const { return seconds_[k.value]; }
  /// Time of the first level. Requires known().
  double first() const { return seconds_.front(); }
  /// Time of the last level. Requires known().
  double last() const { return seconds_.back(); }
  /// Times of all levels, ascending [s since 1970]; empty unless known().
  const std::vector<double>& all() const { return seconds_; }
  /// The time of a level as "2024-10-28T03:00:00Z"; empty unless known().
  std::string text(TimeLevel k) const;

 private:
  std::vector<double> seconds_;
};

/// Formats a time as "2024-10-28T03:00:00Z", to the nearest second.
std::string format_date(double seconds_since_1970);

}  // namespace tidewise

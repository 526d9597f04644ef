#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "env/environment_info.h"
#include "env/file/reader.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Converts times in a track's file to those of an environment.
class TrackClock {
 public:
  /// Converts times to those of `environment`.
  explicit TrackClock(const EnvironmentReader& environment);
  /// Converts dates only, to seconds since 1970.
  TrackClock() : reference_(0) {}

  /// The time of a row [s or 1]. Texts are ISO 8601. Numbers have CF's units, or are seconds since
  /// 1970, or are in the environment's unit; if the environment has dates, numbers need a unit.
  /// nullopt for an empty cell. Errors: InputError naming file and row.
  std::optional<double> time(const TrackTable& table, const TrackColumn& column,
                             std::size_t row) const;
  /// The time of a level's number, which may be fractional.
  double at_level(double level) const { return time_.first + level * time_.step; }
  /// A time for messages: a date if known, else the number.
  std::string text(double time) const;

 private:
  std::optional<double> from_date(double seconds_since_1970, const TrackTable& table,
                                  std::size_t row) const;
  /// Refuses a number whose clock is unknown.
  [[noreturn]] void refuse_plain_number(const TrackTable& table, const TrackColumn& column,
                                        std::size_t row) const;

  TimeAxis time_;
  std::optional<double> reference_;  // [s since 1970]
};

/// Throws InputError: "<file>: line <n>: <why>".
[[noreturn]] void refuse_row(const TrackTable& table, std::size_t row, const std::string& why);

/// The number in a row; nullopt for an empty cell. Errors: InputError for text that is not a
/// number.
std::optional<double> number_at(const TrackTable& table, const TrackColumn& column,
                                std::size_t row);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "env/environment_info.h"
#include "env/file/reader.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Turns what a track's file says of times into those of an environment.
class TrackClock {
 public:
  explicit TrackClock(const EnvironmentReader& environment);
  /// Of dates only: times are in seconds since 1970.
  TrackClock() : reference_(0) {}

  /// The time of a row [s or 1]: ISO 8601 in texts; numbers by CF's units, seconds
  /// since 1970, or in the environment's own; the last want a unit where that has dates. Nothing
  /// where none is. Errors: InputError naming file and row.
  std::optional<double> time(const TrackTable& table, const TrackColumn& column,
                             std::size_t row) const;
  /// That of a level's number, which may lie between two.
  double at_level(double level) const { return time_.first + level * time_.step; }
  /// A time as a person reads it: a date, else the number.
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

/// The number of a row; nothing where none is. Errors: InputError for text that is none.
std::optional<double> number_at(const TrackTable& table, const TrackColumn& column,
                                std::size_t row);

}  // namespace tidewise

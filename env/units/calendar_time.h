#pragma once

#include <string>

#include "env/units/calendar.h"

namespace tidewise {

/// Seconds since 1970-01-01T00:00:00Z of an ISO 8601 time: "2024-10-28", "2024-10-28T03:00",
/// "2024-10-28 03:00:00.5Z", "2024-10-28T03:00:00-07:00". Without a zone it is UTC; the calendar is
/// the proleptic Gregorian. Errors: InputError (what was found and what is allowed).
double parse_iso_time(const std::string& text);

/// Formats a time as "2024-10-28T03:00:00" (UTC, to the nearest second).
std::string format_iso_time(double seconds_since_1970);

/// Units of a CF time axis, such as "hours since 2015-10-19T06:00:00".
class TimeUnits {
 public:
  /// `calendar` is CF's attribute; empty means standard. In calendars whose years all have 365 or
  /// 366 days, a date means the same date of the real calendar. Months of 30 days are refused,
  /// because they have dates that no real year has. Errors: InputError without the file's name; the
  /// caller adds it.
  TimeUnits(const std::string& units, const std::string& calendar);

  /// Seconds since 1970 of a value of the axis, to the nearest second, because axes in days stored
  /// as floating point are off by fractions of a second. Errors: InputError, as above, for a date
  /// that the real calendar lacks, and for a time beyond the year 9999.
  double to_seconds(double value) const;
  /// A note on the calendar for the user; empty for a real one.
  std::string note() const;

 private:
  Calendar calendar_;
  double reference_ = 0;     // [s] since 1970, or since the year 0 if all years are equal
  double unit_seconds_ = 0;  // [s]
};

}  // namespace tidewise

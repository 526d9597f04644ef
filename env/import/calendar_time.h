#pragma once

#include <string>

namespace tidewise {

/// Seconds since 1970-01-01T00:00:00Z of an ISO 8601 time: "2024-10-28", "2024-10-28T03:00",
/// "2024-10-28 03:00:00.5Z", "2024-10-28T03:00:00-07:00". Without a zone it is UTC; the calendar is
/// the proleptic Gregorian. Errors: InputError (what was found and what is allowed).
double parse_iso_time(const std::string& text);

/// "2024-10-28T03:00:00" (UTC, to the nearest second).
std::string format_iso_time(double seconds_since_1970);

/// Units of a CF time axis, such as "hours since 2015-10-19T06:00:00".
class TimeUnits {
 public:
  /// `calendar` is CF's attribute; empty means standard. Calendars without the real days (noleap,
  /// 360_day, …) are refused: no vehicle sails in them. In the standard calendar days before
  /// 1582-10-15 are Julian, which moves "days since 1-1-1" by two days.
  /// Errors: InputError without the file's name; the caller puts it before.
  TimeUnits(const std::string& units, const std::string& calendar);

  /// Seconds since 1970 of a value of the axis, to the nearest second: axes in days held as
  /// floating point are off by fractions of one.
  double to_seconds(double value) const;

 private:
  double reference_ = 0;     // [s since 1970]
  double unit_seconds_ = 0;  // [s]
};

}  // namespace tidewise

#include "env/units/calendar_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

constexpr double day = 86400;                // [s]
constexpr double latest = 9999 * 366 * day;  // [s] from the year 0 or 1970; no forecast is later

/// Reads a text from its beginning, piece by piece.
class TimeText {
 public:
  explicit TimeText(std::string_view text) : rest_(text) {}

  bool is_done() const { return rest_.empty(); }
  bool begins_with_digit() const { return !rest_.empty() && is_digit(rest_.front()); }
  bool take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_spaces() {
    while (take(' ')) {
    }
  }
  /// A whole number of 1 to `max` digits; nullopt if the rest does not begin with one.
  std::optional<int> number(int max) {
    if (!begins_with_digit()) return std::nullopt;
    int value = 0;
    for (; max > 0 && begins_with_digit(); --max) value = 10 * value + digit();
    return value;
  }
  /// The digits after a decimal point, as a share of 1.
  double fraction() {
    double value = 0;
    double digit_value = 1;
    while (begins_with_digit()) value += (digit_value /= 10) * digit();
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
  int digit() {
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
};

/// Reads a date, such as "2024-10-28"; the year may be negative.
std::optional<Date> read_date(TimeText& text) {
  const bool is_negative = text.take('-');
  if (!is_negative) text.take('+');
  const auto year = text.number(4);
  const auto month = year && text.take('-') ? text.number(2) : std::nullopt;
  const auto day_of_month = month && text.take('-') ? text.number(2) : std::nullopt;
  if (!day_of_month) return std::nullopt;
  return Date{is_negative ? -*year : *year, *month, *day_of_month};
}

/// Reads the time of day [s], such as "3", "03:00" or "03:00:00.5".
std::optional<double> read_clock(TimeText& text) {
  const auto hour = text.number(2);
  if (!hour) return std::nullopt;
  int minute = 0;
  double second = 0;
  if (text.take(':')) {
    const auto minutes = text.number(2);
    if (!minutes) return std::nullopt;
    minute = *minutes;
    if (text.take(':')) {
      const auto seconds = text.number(2);
      if (!seconds) return std::nullopt;
      second = *seconds + (text.take('.') ? text.fraction() : 0);
    }
  }
  const double seconds = *hour * 3600.0 + minute * 60.0 + second;
  if (seconds > day || minute > 59 || second >= 61) return std::nullopt;
  return seconds;
}

/// Reads the offset of a zone ("", "Z", "UTC", "+05:30", "-6:00", "-0700", "-7") from UTC [s].
std::optional<double> read_zone(TimeText& text) {
  const std::string zone = lower_case(std::string(text.rest()));
  if (zone.empty() || zone == "z" || zone == "utc" || zone == "gmt") return 0;
  const bool is_west = text.take('-');
  if (!is_west && !text.take('+')) return std::nullopt;
  const auto hours = text.number(2);
  if (!hours) return std::nullopt;
  const bool has_colon = text.take(':');
  const auto minutes = text.number(2);
  if ((has_colon && !minutes) || !text.is_done()) return std::nullopt;
  if (*hours > 14 || minutes.value_or(0) > 59) return std::nullopt;
  return (is_west ? -1 : 1) * (*hours * 3600.0 + minutes.value_or(0) * 60.0);
}

[[noreturn]] void refuse_time(const std::string& text) {
  throw input_error(errors::time_text_invalid, text);
}

[[noreturn]] void refuse_date(const std::string& text, const Date& date, Calendar calendar) {
  if (calendar == Calendar::proleptic_gregorian) refuse_time(text);
  const bool is_year_zero = date.year == 0 && is_date({4, date.month, date.day}, calendar);
  throw input_error(
      errors::date_not_in_calendar, text, name_of(calendar),
      is_year_zero ? ", where the year before 1 is -1 (proleptic_gregorian has a year 0)" : "");
}

double parse_time(const std::string& input, Calendar calendar) {
  const std::string trimmed_text = trimmed(input);
  TimeText text(trimmed_text);
  const auto date = read_date(text);
  if (!date) refuse_time(input);
  if (!is_date(*date, calendar)) refuse_date(input, *date, calendar);
  const bool needs_clock = text.take('T') || text.take('t');
  text.skip_spaces();
  double seconds = 0;
  if (needs_clock || text.begins_with_digit()) {
    const auto clock = read_clock(text);
    if (!clock) refuse_time(input);
    seconds = *clock;
  }
  text.skip_spaces();
  const auto zone = read_zone(text);
  if (!zone) refuse_time(input);
  return day_number(*date, calendar) * day + seconds - *zone;
}

/// Length of a unit of time [s]; nullopt for other text and for units without a fixed length.
/// Source: the names of UDUNITS, and the abbreviations of cftime.
std::optional<double> seconds_in(const std::string& unit) {
  struct Names {
    double seconds;
    std::array<std::string_view, 8> names;
  };
  constexpr std::array units{
      Names{7 * day, {"week", "weeks"}},
      Names{day, {"d", "day", "days"}},
      Names{3600, {"h", "hr", "hrs", "hour", "hours"}},
      Names{60, {"min", "mins", "minute", "minutes"}},
      Names{1, {"s", "sec", "secs", "second", "seconds"}},
      Names{1e-3, {"ms", "msec", "msecs", "millisec", "millisecs", "millisecond", "milliseconds"}},
      Names{1e-6,
            {"us", "µs", "μs", "usec", "microsec", "microsecs", "microsecond", "microseconds"}},
      Names{1e-9, {"ns", "nsec", "nanosec", "nanosecs", "nanosecond", "nanoseconds"}}};
  if (unit.empty()) return std::nullopt;
  for (const Names& unit_names : units) {
    if (std::find(unit_names.names.begin(), unit_names.names.end(), unit) != unit_names.names.end())
      return unit_names.seconds;
  }
  return std::nullopt;
}

bool is_month_or_year(const std::string& unit) {
  constexpr std::array<std::string_view, 14> names{
      "month",       "months",       "mon",    "year",      "years",         "yr", "yrs",
      "common_year", "common_years", "decade", "leap_year", "sidereal_year", "a",  "century"};
  return std::find(names.begin(), names.end(), unit) != names.end();
}

}  // namespace

double parse_iso_time(const std::string& text) {
  return parse_time(text, Calendar::proleptic_gregorian);
}

std::string format_iso_time(double seconds_since_1970) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds_since_1970));
  const std::chrono::sys_seconds instant{std::chrono::seconds(whole)};
  const auto midnight = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(midnight);
  const auto clock = (instant - midnight).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock / 3600, clock / 60 % 60, clock % 60);
}

TimeUnits::TimeUnits(const std::string& units, const std::string& calendar)
    : calendar_(calendar_of(calendar)) {
  const auto since = lower_case(units).find(" since ");
  const std::string unit =
      since == std::string::npos ? "" : lower_case(trimmed(units.substr(0, since)));
  if (is_month_or_year(unit)) {
    throw input_error(errors::time_units_without_length, units);
  }
  const auto length = seconds_in(unit);
  if (!length) {
    throw input_error(errors::time_units_unknown, units);
  }
  unit_seconds_ = *length;
  reference_ = parse_time(units.substr(since + 7), calendar_);
}

double TimeUnits::to_seconds(double value) const {
  const double seconds = std::round(reference_ + value * unit_seconds_);
  if (!(std::abs(seconds) <= latest)) throw input_error(errors::time_beyond_year_9999);
  if (!has_equal_years(calendar_)) return seconds;
  const double days = std::floor(seconds / day);
  const Date date = date_of_equal_years(days, calendar_);
  if (!is_date(date, Calendar::proleptic_gregorian)) {
    throw input_error(errors::leap_day_in_common_year, date.year);
  }
  return day_number(date, Calendar::proleptic_gregorian) * day + seconds - days * day;
}

std::string TimeUnits::note() const {
  switch (calendar_) {
    case Calendar::noleap:
      return "its years have 365 days: each date is treated as the same date of the real calendar, "
             "and a 29 February between two of them is interpolated like a gap";
    case Calendar::all_leap:
      return "its years have 366 days: each date is treated as the same date of the real calendar";
    case Calendar::julian:
      return "its dates are Julian, and are converted to the Gregorian calendar";
    default:
      return "";
  }
}

}  // namespace tidewise

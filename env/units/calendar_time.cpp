#include "env/units/calendar_time.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

constexpr double day = 86400;  // [s]

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
};

/// Days before each month of a year without 29 February.
constexpr std::array days_before{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

bool is_julian(const Date& date) {
  return std::array{date.year, static_cast<int>(date.month), static_cast<int>(date.day)} <
         std::array{1582, 10, 15};
}

bool has_leap_day(int year, Calendar calendar) {
  switch (calendar) {
    case Calendar::noleap:
      return false;
    case Calendar::all_leap:
      return true;
    case Calendar::julian:
      return year % 4 == 0;
    case Calendar::mixed:
      return year < 1582 ? year % 4 == 0 : std::chrono::year(year).is_leap();
    case Calendar::proleptic_gregorian:
      return std::chrono::year(year).is_leap();
  }
  return false;
}

bool is_date(const Date& date, Calendar calendar) {
  if (date.month < 1 || date.month > 12 || date.day < 1) return false;
  const int length = days_before[date.month] - days_before[date.month - 1] +
                     (date.month == 2 && has_leap_day(date.year, calendar) ? 1 : 0);
  return static_cast<int>(date.day) <= length;
}

/// Source: Richards' algorithm for the Julian day number of a Julian date.
double days_of_julian(const Date& date) {
  const int shift = (14 - static_cast<int>(date.month)) / 12;
  const int year = date.year + 4800 - shift;
  const int month = static_cast<int>(date.month) + 12 * shift - 3;
  const int julian_day_number =
      static_cast<int>(date.day) + (153 * month + 2) / 5 + 365 * year + year / 4 - 32083;
  return julian_day_number - 2440588;  // that of 1970-01-01
}

double days_of_gregorian(const Date& date) {
  const std::chrono::sys_days days =
      std::chrono::year(date.year) / static_cast<int>(date.month) / static_cast<int>(date.day);
  return static_cast<double>(days.time_since_epoch().count());
}

/// Years of one length, as climate models have them, count their own days.
bool has_equal_years(Calendar calendar) {
  return calendar == Calendar::noleap || calendar == Calendar::all_leap;
}

int year_length(Calendar calendar) { return calendar == Calendar::all_leap ? 366 : 365; }

/// Days before a month in years of one length.
int equal_days_before(unsigned month, Calendar calendar) {
  return days_before[month - 1] + (month > 2 && calendar == Calendar::all_leap ? 1 : 0);
}

double days_of(const Date& date, Calendar calendar) {
  if (has_equal_years(calendar)) {
    return static_cast<double>(date.year) * year_length(calendar) +
           equal_days_before(date.month, calendar) + date.day - 1;
  }
  if (calendar == Calendar::julian || (calendar == Calendar::mixed && is_julian(date))) {
    return days_of_julian(date);
  }
  return days_of_gregorian(date);
}

/// The date of a day of years of one length.
Date date_of_equal_years(double days, Calendar calendar) {
  const double year = std::floor(days / year_length(calendar));
  const int rest = static_cast<int>(days - year * year_length(calendar));
  unsigned month = 12;
  while (equal_days_before(month, calendar) > rest) --month;
  return {static_cast<int>(year), month,
          static_cast<unsigned>(rest - equal_days_before(month, calendar) + 1)};
}

[[noreturn]] void refuse_time(const std::string& text) {
  throw InputError(fmt::format("\"{}\" is not a time; write it as 2024-10-28T03:00:00", text));
}

/// Offset of a zone ("", "Z", "UTC", "+05:30", "-0700", "-7") from UTC [s].
double zone_offset(const std::string& zone, const std::string& whole) {
  if (zone.empty() || zone == "Z" || zone == "z" || zone == "UTC" || zone == "GMT") return 0;
  int hours = 0;
  int minutes = 0;
  int used = 0;
  const char* digits = zone.c_str() + 1;
  const bool read = (std::sscanf(digits, "%2d:%2d%n", &hours, &minutes, &used) == 2 ||
                     std::sscanf(digits, "%2d%2d%n", &hours, &minutes, &used) == 2 ||
                     std::sscanf(digits, "%2d%n", &hours, &used) == 1) &&
                    digits[used] == '\0' && hours >= 0 && hours <= 14 && minutes >= 0 &&
                    minutes < 60;
  if (!read || (zone[0] != '+' && zone[0] != '-')) refuse_time(whole);
  return (zone[0] == '-' ? -1 : 1) * (hours * 3600.0 + minutes * 60.0);
}

double parse_time(const std::string& whole, Calendar calendar) {
  const std::string text = trimmed(whole);
  Date date;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d-%2u-%2u%n", &date.year, &date.month, &date.day, &used) != 3) {
    refuse_time(whole);
  }
  if (std::abs(date.year) > 9999) refuse_time(whole);
  if (!is_date(date, calendar)) refuse_time(whole);
  std::string rest = text.substr(static_cast<std::size_t>(used));
  double seconds = 0;
  if (!rest.empty() && (rest[0] == 'T' || rest[0] == 't' || rest[0] == ' ')) {
    unsigned hour = 0;
    unsigned minute = 0;
    const char* clock = rest.c_str() + 1;
    used = 0;
    if (std::sscanf(clock, "%2u:%2u%n", &hour, &minute, &used) == 2) {
      char* end = const_cast<char*>(clock) + used;
      double second = 0;
      if (*end == ':') second = std::strtod(end + 1, &end);
      if (hour > 24 || minute > 59 || second < 0 || second >= 61) refuse_time(whole);
      seconds = hour * 3600.0 + minute * 60.0 + second;
      rest = trimmed(end);
    } else if (std::sscanf(clock, "%2u%n", &hour, &used) == 1 && hour <= 24) {
      seconds = hour * 3600.0;
      rest = trimmed(clock + used);
    } else {
      refuse_time(whole);
    }
  }
  return days_of(date, calendar) * day + seconds - zone_offset(rest, whole);
}

double seconds_in(const std::string& unit) {
  static const std::map<std::string, double> known{
      {"d", day},     {"day", day},   {"days", day},         {"h", 3600},
      {"hr", 3600},   {"hrs", 3600},  {"hour", 3600},        {"hours", 3600},
      {"min", 60},    {"mins", 60},   {"minute", 60},        {"minutes", 60},
      {"s", 1},       {"sec", 1},     {"secs", 1},           {"second", 1},
      {"seconds", 1}, {"msec", 1e-3}, {"millisecond", 1e-3}, {"milliseconds", 1e-3}};
  const auto found = known.find(lower_case(unit));
  return found == known.end() ? 0 : found->second;
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

Calendar calendar_of(const std::string& name) {
  static const std::map<std::string, Calendar> known{
      {"", Calendar::mixed},           {"standard", Calendar::mixed},
      {"gregorian", Calendar::mixed},  {"proleptic_gregorian", Calendar::proleptic_gregorian},
      {"julian", Calendar::julian},    {"noleap", Calendar::noleap},
      {"365_day", Calendar::noleap},   {"all_leap", Calendar::all_leap},
      {"366_day", Calendar::all_leap}, {"gregorian_proleptic", Calendar::proleptic_gregorian}};
  const auto found = known.find(lower_case(name));
  if (found != known.end()) return found->second;
  throw InputError(
      fmt::format("has the calendar \"{}\", whose days are not real ones; give its times in one of "
                  "standard, gregorian, proleptic_gregorian, julian, noleap and all_leap",
                  name));
}

TimeUnits::TimeUnits(const std::string& units, const std::string& calendar)
    : calendar_(calendar_of(calendar)) {
  const auto since = lower_case(units).find(" since ");
  unit_seconds_ = since == std::string::npos ? 0 : seconds_in(trimmed(units.substr(0, since)));
  if (unit_seconds_ == 0) {
    throw InputError(
        fmt::format("has the units \"{}\"; a time axis needs days, hours, minutes or "
                    "seconds since a date, e.g. \"hours since 2024-10-28 00:00:00\"",
                    units));
  }
  reference_ = parse_time(units.substr(since + 7), calendar_);
}

double TimeUnits::to_seconds(double value) const {
  const double seconds = std::round(reference_ + value * unit_seconds_);
  if (!has_equal_years(calendar_)) return seconds;
  const double days = std::floor(seconds / day);
  if (std::abs(days) > 366 * 9999.0) throw InputError("holds a time beyond the year 9999");
  const Date date = date_of_equal_years(days, calendar_);
  if (!is_date(date, Calendar::proleptic_gregorian)) {
    throw InputError(fmt::format(
        "holds 29 February {}, which its calendar has and the year has not; leave that time out",
        date.year));
  }
  return days_of_gregorian(date) * day + seconds - days * day;
}

std::string TimeUnits::note() const {
  switch (calendar_) {
    case Calendar::noleap:
      return "its years have 365 days: each date is taken for the same date of the real calendar, "
             "and a 29 February between two of them is bridged like a gap";
    case Calendar::all_leap:
      return "its years have 366 days: each date is taken for the same date of the real calendar";
    case Calendar::julian:
      return "its dates are Julian, and are given here in the Gregorian calendar";
    default:
      return "";
  }
}

}  // namespace tidewise

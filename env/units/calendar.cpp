#include "env/units/calendar.h"

#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

/// Days before each month of a year without 29 February.
constexpr std::array days_before{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

constexpr std::array last_julian{1582, 10, 4};
constexpr std::array first_gregorian{1582, 10, 15};

std::array<int, 3> fields(const Date& date) { return {date.year, date.month, date.day}; }

bool has_year_zero(Calendar calendar) {
  return calendar != Calendar::mixed && calendar != Calendar::julian;
}

/// The astronomical year: the year before 1 is 0, and the one before that -1.
int astronomical_year(const Date& date, Calendar calendar) {
  return date.year < 0 && !has_year_zero(calendar) ? date.year + 1 : date.year;
}

bool is_julian(const Date& date, Calendar calendar) {
  return calendar == Calendar::julian ||
         (calendar == Calendar::mixed && fields(date) < first_gregorian);
}

bool has_leap_day(const Date& date, Calendar calendar) {
  if (has_equal_years(calendar)) return calendar == Calendar::all_leap;
  const int year = astronomical_year(date, calendar);
  return is_julian(date, calendar) ? year % 4 == 0 : std::chrono::year(year).is_leap();
}

/// Days since 1970-01-01 of a Julian date. Source: Richards' algorithm for the Julian day number.
double days_of_julian(int year, int month, int day) {
  const int shift = (14 - month) / 12;
  const int shifted_year = year + 4800 - shift;
  const int shifted_month = month + 12 * shift - 3;
  const int days_before_month = (153 * shifted_month + 2) / 5;
  const double leap_days = std::floor(shifted_year / 4.0);  // also for negative years
  const double julian_day_number =
      day + days_before_month + 365.0 * shifted_year + leap_days - 32083;
  return julian_day_number - 2440588;  // Julian day number of 1970-01-01
}

double days_of_gregorian(const Date& date) {
  const std::chrono::sys_days days =
      std::chrono::year(date.year) / date.month / static_cast<unsigned>(date.day);
  return static_cast<double>(days.time_since_epoch().count());
}

int year_length(Calendar calendar) { return calendar == Calendar::all_leap ? 366 : 365; }

/// Days before a month in years of one length.
int equal_days_before(int month, Calendar calendar) {
  return days_before[month - 1] + (month > 2 && calendar == Calendar::all_leap ? 1 : 0);
}

}  // namespace

Calendar calendar_of(const std::string& name) {
  static const std::map<std::string, Calendar> known{
      {"", Calendar::mixed},           {"standard", Calendar::mixed},
      {"gregorian", Calendar::mixed},  {"proleptic_gregorian", Calendar::proleptic_gregorian},
      {"julian", Calendar::julian},    {"noleap", Calendar::noleap},
      {"365_day", Calendar::noleap},   {"all_leap", Calendar::all_leap},
      {"366_day", Calendar::all_leap}, {"gregorian_proleptic", Calendar::proleptic_gregorian}};
  const auto found = known.find(lower_case(name));
  if (found != known.end()) return found->second;
  throw input_error(errors::calendar_unknown, name);
}

const char* name_of(Calendar calendar) {
  switch (calendar) {
    case Calendar::proleptic_gregorian:
      return "proleptic_gregorian";
    case Calendar::mixed:
      return "standard";
    case Calendar::julian:
      return "julian";
    case Calendar::noleap:
      return "noleap";
    case Calendar::all_leap:
      return "all_leap";
  }
  return "";
}

bool has_equal_years(Calendar calendar) {
  return calendar == Calendar::noleap || calendar == Calendar::all_leap;
}

bool is_date(const Date& date, Calendar calendar) {
  if (date.month < 1 || date.month > 12 || date.day < 1) return false;
  if (date.year == 0 && !has_year_zero(calendar)) return false;
  if (calendar == Calendar::mixed && fields(date) > last_julian && fields(date) < first_gregorian) {
    return false;
  }
  const auto month = static_cast<std::size_t>(date.month);
  const int length = days_before[month] - days_before[month - 1] +
                     (date.month == 2 && has_leap_day(date, calendar) ? 1 : 0);
  return date.day <= length;
}

double day_number(const Date& date, Calendar calendar) {
  if (has_equal_years(calendar)) {
    return static_cast<double>(date.year) * year_length(calendar) +
           equal_days_before(date.month, calendar) + date.day - 1;
  }
  if (is_julian(date, calendar)) {
    return days_of_julian(astronomical_year(date, calendar), date.month, date.day);
  }
  return days_of_gregorian(date);
}

Date date_of_equal_years(double day_number, Calendar calendar) {
  const double year = std::floor(day_number / year_length(calendar));
  const int rest = static_cast<int>(day_number - year * year_length(calendar));
  int month = 12;
  while (equal_days_before(month, calendar) > rest) --month;
  return {static_cast<int>(year), month, rest - equal_days_before(month, calendar) + 1};
}

}  // namespace tidewise

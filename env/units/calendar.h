#pragma once

#include <string>

namespace tidewise {

/// CF's calendars whose dates have counterparts in the real calendar. mixed is CF's standard:
/// Julian before 1582-10-15, which moves "days since 1-1-1" by two days.
enum class Calendar { proleptic_gregorian, mixed, julian, noleap, all_leap };

/// The calendar of CF's attribute `calendar`; empty means standard. Errors: InputError, without the
/// file's name, with the supported calendars.
Calendar calendar_of(const std::string& name);
/// CF's name of a calendar.
const char* name_of(Calendar calendar);

/// A date of a calendar. The years of mixed and julian are historical: the year before 1 is -1, and
/// there is no year 0. Those of the other calendars are astronomical: the year before 1 is 0. This
/// is the convention of cftime.
struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
};

/// True if the calendar has the date. The ten days before 1582-10-15 are not in mixed.
bool is_date(const Date& date, Calendar calendar);

/// True if all years have one length, as in climate models: noleap and all_leap.
bool has_equal_years(Calendar calendar);

/// Days since 1970-01-01 of the Gregorian calendar; in calendars of equal years, days since their
/// own year 0.
double day_number(const Date& date, Calendar calendar);

/// The date of a day number of a calendar of equal years.
Date date_of_equal_years(double day_number, Calendar calendar);

}  // namespace tidewise

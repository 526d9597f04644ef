#include "learning/track/table/time_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "env/units/calendar_time.h"
#include "learning/error/codes.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/date_text.h"

namespace tidewise {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double one_day = 86400;  // [s]
// Numbers under an unknown name count as seconds since 1970 only between these limits.
constexpr double first_epoch = 6.3e8;  // [s] 1990
constexpr double last_epoch = 4.1e9;   // [s] 2100
// Two columns with times of one fix may differ by rounding to minutes.
constexpr double same_time = 60;  // [s]

/// The form of most of a column's filled cells; DateText::none for numbers and other text.
DateText form_of_column(const TrackColumn& column) {
  std::array<std::size_t, 5> counts{};
  std::size_t filled = 0;
  for (const std::string& text : column.texts) {
    if (is_blank(text)) continue;
    ++filled;
    ++counts[static_cast<std::size_t>(date_text_of(text))];
  }
  const auto count = [&](DateText form) { return counts[static_cast<std::size_t>(form)]; };
  const std::size_t dates =
      count(DateText::date) + count(DateText::date_and_clock) + count(DateText::other_date);
  if (2 * dates > filled) {
    if (count(DateText::date_and_clock) > 0) return DateText::date_and_clock;
    return count(DateText::other_date) > 0 ? DateText::other_date : DateText::date;
  }
  return 2 * count(DateText::clock) > filled ? DateText::clock : DateText::none;
}

bool has_word(const TrackColumn& column, std::string_view word) {
  return plain_name(column.name).find(word) != std::string::npos;
}

/// True if `convert` converts all filled cells; it returns "" for other text.
template <class Convert>
bool all_convert(const TrackColumn& column, const Convert& convert) {
  bool has_values = false;
  for (const std::string& text : column.texts) {
    if (is_blank(text)) continue;
    if (convert(text).empty()) return false;
    has_values = true;
  }
  return has_values;
}

bool is_dates(const TrackColumn& column) {
  return form_of_column(column) == DateText::date ||
         ((has_word(column, "date") || has_word(column, "ymd")) &&
          all_convert(column, date_of_digits));
}

bool is_clocks(const TrackColumn& column) {
  return form_of_column(column) == DateText::clock ||
         ((has_word(column, "time") || has_word(column, "hms") || has_word(column, "utc")) &&
          all_convert(column, clock_of_digits));
}

std::string date_of(const std::string& text) {
  const std::string digits = date_of_digits(text);
  return digits.empty() ? iso_text(text) : digits;
}

std::string clock_of(const std::string& text) {
  const std::string digits = clock_of_digits(text);
  return digits.empty() ? text : digits;
}

/// The only column that satisfies `matches`, or of several the one named `name`.
template <class Predicate>
std::optional<std::size_t> find_only(const TrackTable& table, const char* name,
                                     const Predicate& matches) {
  std::optional<std::size_t> match;
  std::size_t count = 0;
  for (std::size_t n = 0; n < table.columns.size(); ++n) {
    if (!matches(table.columns[n])) continue;
    if (plain_name(table.columns[n].name) == name) return n;
    match = n;
    ++count;
  }
  return count == 1 ? match : std::nullopt;
}

void join_date_and_clock(TrackTable& table) {
  const auto clocks = find_only(table, "time", is_clocks);
  const auto dates = clocks ? find_only(table, "date", is_dates) : std::nullopt;
  if (!dates) return;
  TrackColumn& column = table.columns[*clocks];
  const TrackColumn& date = table.columns[*dates];
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& clock = column.texts[row];
    const bool has_both = !is_blank(date.texts[row]) && !is_blank(clock);
    column.numbers[row] = no_number;
    column.texts[row] =
        has_both ? fmt::format("{}T{}", date_of(date.texts[row]), clock_of(clock)) : "";
  }
  table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(*dates));
}

/// The column of a part of a date or a time of day, such as hour or hour_utc.
std::optional<std::size_t> find_part(const TrackTable& table, const std::string& name) {
  const auto found = find_column(table, name);
  return found ? found : find_column(table, name + "_utc");
}

/// Joins columns year, month, day, hour, … and a column of dates with one of hours.
void join_calendar_parts(TrackTable& table) {
  constexpr std::array names{"year", "month", "day", "hour", "minute", "second"};
  std::array<std::optional<std::size_t>, names.size()> parts;
  for (std::size_t n = 0; n < names.size(); ++n) parts[n] = find_part(table, names[n]);
  const bool has_day = parts[0] && parts[1] && parts[2];
  const auto dates = parts[3] && !has_day ? find_only(table, "date", is_dates) : std::nullopt;
  if ((!has_day && !dates) || find_column(table, "time")) return;
  const auto value = [&](std::size_t part, std::size_t row) {
    return parts[part] ? table.columns[*parts[part]].numbers[row] : 0;
  };
  const auto day_of = [&](std::size_t row) -> std::string {
    if (dates) return date_of(table.columns[*dates].texts[row]);
    if (!std::isfinite(value(0, row) + value(1, row) + value(2, row))) return "";
    return fmt::format("{:04.0f}-{:02.0f}-{:02.0f}", value(0, row), value(1, row), value(2, row));
  };
  TrackColumn time{.name = "time"};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string day = day_of(row);
    const double seconds = 3600 * value(3, row) + 60 * value(4, row) + value(5, row);
    const bool is_valid = !day.empty() && seconds >= 0 && seconds <= one_day;
    const int minutes = is_valid ? static_cast<int>(seconds / 60) : 0;
    time.numbers.push_back(no_number);
    time.texts.push_back(is_valid ? fmt::format("{}T{:02}:{:02}:{:06.3f}", day, minutes / 60,
                                                minutes % 60, seconds - 60 * minutes)
                                  : "");
  }
  if (dates) table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(*dates));
  table.columns.push_back(std::move(time));
}

/// True for seconds since 1970, or milliseconds, for which the clock has its own message.
bool are_epochs(const TrackColumn& column) {
  if (column.texts.empty() || column.numbers.size() < 2) return false;
  const double unit = column.numbers.front() > last_epoch ? 1000 : 1;
  double last = first_epoch * unit;
  for (const double number : column.numbers) {
    if (!(number > last) || number > last_epoch * unit) return false;
    last = number;
  }
  return true;
}

/// Seconds since 1970, and the resolution of the cell: a day for a date without a time of day.
struct Instant {
  double begin = 0;
  double length = 0;
};

std::optional<Instant> instant_of(const TrackColumn& column, std::size_t row) {
  const std::string& text = column.texts[row];
  const DateText form = date_text_of(text);
  try {
    if (form == DateText::date) return Instant{parse_iso_time(iso_text(text)), one_day};
    if (form == DateText::date_and_clock) return Instant{parse_iso_time(iso_text(text)), 0};
    const double number = column.numbers[row];
    if (!std::isfinite(number)) return std::nullopt;
    if (units_of(column).find(" since ") != std::string::npos) {
      return Instant{TimeUnits(column.units, column.calendar).to_seconds(number), 0};
    }
    if (number >= first_epoch && number <= last_epoch) return Instant{number, 0};
  } catch (const InputError&) {  // an invalid date, such as 31 June
  }
  return std::nullopt;
}

/// True for two columns with the same times, false with the first row that differs; nullopt if no
/// row has both times.
std::optional<bool> agree(const TrackColumn& a, const TrackColumn& b, std::size_t& row) {
  std::optional<bool> agreed;
  for (row = 0; row < a.numbers.size(); ++row) {
    const auto first = instant_of(a, row);
    const auto second = instant_of(b, row);
    if (!first || !second) continue;
    agreed = first->begin <= second->begin + second->length + same_time &&
             second->begin <= first->begin + first->length + same_time;
    if (!*agreed) return agreed;
  }
  row = 0;
  return agreed;
}

[[noreturn]] void refuse_two(const TrackTable& table, std::size_t a, std::size_t b,
                             std::size_t row) {
  const TrackColumn& first = table.columns[a];
  const TrackColumn& second = table.columns[b];
  const auto cell = [&](const TrackColumn& column) {
    return shortened(on_one_line(text_at(column, row)), 60);
  };
  throw input_error(errors::track_times_disagree, table.path.string(), on_one_line(first.name),
                    on_one_line(second.name), table.row_name, table.rows[row], cell(first),
                    cell(second));
}

/// True for a glider's file, in which the times of fixes and of sensors differ.
bool is_of_fixes(const TrackColumn& column) {
  constexpr std::array<std::string_view, 8> words{"time_gps",       "gps_time",     "log_gps_time",
                                                  "m_present_time", "precise_time", "juld",
                                                  "profile_time",   "juld_gps"};
  return std::find(words.begin(), words.end(), plain_name(column.name)) != words.end();
}

/// The first of some columns, if the others agree with it. `are_named`: their names mean a time.
std::optional<std::size_t> first_of(const TrackTable& table,
                                    const std::vector<std::size_t>& columns, bool are_named) {
  if (columns.empty()) return std::nullopt;
  const std::size_t first = columns.front();
  for (const std::size_t other : columns) {
    if (other == first || table.columns[other].texts.empty() ||
        table.columns[first].texts.empty() || is_of_fixes(table.columns[first]) ||
        is_of_fixes(table.columns[other])) {
      continue;
    }
    std::size_t row = 0;
    if (!agree(table.columns[first], table.columns[other], row).value_or(are_named)) {
      refuse_two(table, first, other, row);
    }
  }
  return first;
}

bool contains(const std::vector<std::size_t>& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

}  // namespace

void join_dates_and_clocks(TrackTable& table) {
  join_date_and_clock(table);
  join_calendar_parts(table);
}

std::optional<std::size_t> find_time_column(const TrackTable& table,
                                            const std::vector<std::size_t>& named,
                                            const std::vector<std::size_t>& taken) {
  std::vector<std::size_t> known;
  std::vector<std::size_t> unsure;  // may be an expected arrival, or a time of day
  for (const std::size_t n : named) {
    const TrackColumn& column = table.columns[n];
    const bool is_sure =
        !plain_name(column.name).starts_with("eta") && form_of_column(column) != DateText::clock;
    (is_sure ? known : unsure).push_back(n);
  }
  if (const auto found = first_of(table, known, true)) return found;
  std::vector<std::size_t> dates;
  std::vector<std::size_t> days;
  for (std::size_t n = 0; n < table.columns.size(); ++n) {
    const TrackColumn& column = table.columns[n];
    if (column.texts.empty() || contains(taken, n) || contains(unsure, n)) continue;
    const DateText form = form_of_column(column);
    const bool has_clock = form == DateText::date_and_clock || form == DateText::other_date ||
                           units_of(column).find(" since ") != std::string::npos ||
                           are_epochs(column);
    if (has_clock) dates.push_back(n);
    if (form == DateText::date) days.push_back(n);
  }
  dates.insert(dates.end(), days.begin(), days.end());
  if (const auto found = first_of(table, dates, false)) return found;
  return unsure.empty() ? std::nullopt : std::optional(unsure.front());
}

}  // namespace tidewise

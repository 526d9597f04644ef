#include "learning/track/table/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/printable.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/date_text.h"

namespace tidewise {
namespace {

constexpr double earliest_epoch = 1e8;  // [s]: 1973; no forecast is as long
constexpr double latest_epoch = 1e11;   // [s]: greater numbers are milliseconds

/// True for a date and time in digits, "20250301060000", which would otherwise be a number.
bool is_date_in_digits(const std::string& text) {
  const DateText form = date_text_of(text);
  return form == DateText::date || form == DateText::date_and_clock;
}

std::string quoted(const std::string& text) {
  return fmt::format("\"{}\"", shortened(on_one_line(text), 60));
}

}  // namespace

void refuse_row(const TrackTable& table, std::size_t row, const std::string& why) {
  throw InputError(
      fmt::format("{}: {} {}: {}", table.path.string(), table.row_name, table.rows[row], why));
}

std::optional<double> number_at(const TrackTable& table, const TrackColumn& column,
                                std::size_t row) {
  const double number = column.numbers[row];
  if (std::isfinite(number)) return number;
  if (!column.texts.empty() && !is_blank(column.texts[row])) {
    refuse_row(table, row,
               error_text(errors::track_value_not_number, on_one_line(column.name),
                          quoted(column.texts[row])));
  }
  return std::nullopt;
}

TrackClock::TrackClock(const EnvironmentReader& environment)
    : time_(environment.info().time), reference_(time_reference(environment)) {}

std::optional<double> TrackClock::from_date(double seconds_since_1970, const TrackTable& table,
                                            std::size_t row) const {
  if (reference_) return seconds_since_1970 - *reference_;
  refuse_row(table, row, error_text(errors::track_date_without_reference));
}

std::optional<double> TrackClock::time(const TrackTable& table, const TrackColumn& column,
                                       std::size_t row) const {
  const std::string units = units_of(column);
  const double number = column.numbers[row];
  const std::string text = column.texts.empty() ? "" : column.texts[row];
  if (!std::isfinite(number) || (reference_ && is_date_in_digits(text))) {
    if (is_blank(text)) return std::nullopt;
    try {
      return from_date(parse_iso_time(iso_text(text)), table, row);
    } catch (const InputError& error) {
      const std::string why = error.what();
      if (why.find(table.path.string()) != std::string::npos) throw;
      refuse_row(table, row, fmt::format("column {}: {}", on_one_line(column.name), why));
    }
  }
  if (units.find(" since ") != std::string::npos) {
    try {
      return from_date(TimeUnits(column.units, column.calendar).to_seconds(number), table, row);
    } catch (const InputError& error) {
      const std::string why = error.what();
      if (why.find(table.path.string()) != std::string::npos) throw;
      refuse_row(table, row, fmt::format("column {} {}", on_one_line(column.name), why));
    }
  }
  if (!reference_) return number;
  constexpr std::array clocks{"", "1", "timestamp", "utc"};  // units that mean seconds since 1970
  const bool is_plain = std::find(clocks.begin(), clocks.end(), units) != clocks.end();
  if (!is_plain && units != "s" && !units.starts_with("sec")) {
    refuse_row(table, row,
               error_text(errors::track_units_without_date, on_one_line(column.name),
                          on_one_line(units), on_one_line(units)));
  }
  if (std::abs(number) < earliest_epoch) {
    if (is_plain) refuse_plain_number(table, column, row);
    return number;
  }
  if (number > latest_epoch) {
    refuse_row(table, row,
               error_text(errors::track_seconds_too_large, on_one_line(column.name), number));
  }
  return number - *reference_;
}

void TrackClock::refuse_plain_number(const TrackTable& table, const TrackColumn& column,
                                     std::size_t row) const {
  const double number = column.numbers[row];
  const auto is_between = [&](double first, double last) {  // from 2000 to 2040
    return number >= first && number <= last;
  };
  const char* hint = is_between(36526, 51136)     ? ", which looks like a spreadsheet's days"
                     : is_between(262968, 613608) ? ", which looks like hours since 1970"
                                                  : "";
  const std::string name = on_one_line(column.name);
  refuse_row(table, row,
             error_text(errors::track_time_without_unit, name, number, hint, name, name,
                        format_date(*reference_)));
}

std::string TrackClock::text(double time) const {
  return reference_ ? format_date(*reference_ + time) : fmt::format("{:.10g}", time);
}

}  // namespace tidewise

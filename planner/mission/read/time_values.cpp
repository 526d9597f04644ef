#include "planner/mission/read/time_values.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/parse_number.h"
#include "env/levels/level_dates.h"
#include "env/units/calendar_time.h"
#include "env/units/quantity.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

constexpr std::int64_t max_level = std::numeric_limits<std::int32_t>::max();

/// Returns the text of a value that is a text or one of TOML's own dates; else null.
const std::string* text_of(const TomlEntry& entry) {
  if (const auto* other = std::get_if<TomlValue::Other>(&entry.value.content)) return &other->text;
  return std::get_if<std::string>(&entry.value.content);
}

std::optional<double> as_date(const std::string& text) {
  try {
    return parse_iso_time(text);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Returns a duration in seconds; nullopt for a number without a unit.
std::optional<double> as_seconds(const std::string& text) {
  if (text.find_first_not_of("0123456789.+-eE ") == std::string::npos) return std::nullopt;
  try {
    return parse_duration("", text);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<std::int32_t> whole_of(const TomlEntry& entry, std::int64_t min) {
  const auto* number = std::get_if<std::int64_t>(&entry.value.content);
  if (number == nullptr) return std::nullopt;
  if (*number < min || *number > max_level) {
    KeyReader::refuse(entry, fmt::format("a whole number from {} to {}", min, max_level));
  }
  return static_cast<std::int32_t>(*number);
}

constexpr const char* date_example = "a date such as \"2024-10-29T12:00Z\"";
constexpr const char* span_example = "a duration such as \"5 d\" or \"120 h\"";

std::optional<Deadline> deadline_of(const TomlEntry& entry) {
  if (const auto level = whole_of(entry, 1)) return Moment(*level);
  if (const std::string* text = text_of(entry)) {
    if (const auto date = as_date(*text)) return Moment::at_date(*date);
    if (const auto seconds = as_seconds(*text)) return TimeSpan::of_seconds(*seconds);
  }
  return std::nullopt;
}

std::string deadline_example() {
  return fmt::format("{}, {} from the departure on, or a level from 1 to {}", date_example,
                     span_example, max_level);
}

Moment moment_of(const TomlEntry& entry, const char* number) {
  if (const auto level = whole_of(entry, 0)) return Moment(*level);
  const std::string* text = text_of(entry);
  const auto date = text != nullptr ? as_date(*text) : std::nullopt;
  if (!date) {
    KeyReader::refuse(
        entry, fmt::format("a {} from 0 to {} (a level), or {}", number, max_level, date_example));
  }
  return Moment::at_date(*date);
}

}  // namespace

Moment parse_moment(const std::string& option, const std::string& text) {
  const auto level = parse_number<std::int32_t>(text);
  if (level && *level >= 0) return Moment(*level);
  const auto date = as_date(text);
  if (date && !level) return Moment::at_date(*date);
  throw input_error(errors::time_option_invalid, option, text, date_example);
}

std::optional<Moment> find_moment(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  return moment_of(*entry, "whole number");
}

std::optional<Moment> find_departure(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  const auto* level = std::get_if<double>(&entry->value.content);
  if (level != nullptr && *level >= 0 && *level <= max_level) return Moment(*level);
  return moment_of(*entry, "number");
}

std::optional<TimeSpan> find_span(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  if (const auto steps = whole_of(*entry, 1)) return TimeSpan(*steps);
  const std::string* text = text_of(*entry);
  const auto seconds = text != nullptr ? as_seconds(*text) : std::nullopt;
  if (!seconds) {
    KeyReader::refuse(
        *entry, fmt::format("a whole number from 1 to {} (steps), or {}", max_level, span_example));
  }
  return TimeSpan::of_seconds(*seconds);
}

std::optional<TimeSpan> find_duration(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  const std::string* text = text_of(*entry);
  const auto seconds = text != nullptr ? as_seconds(*text) : std::nullopt;
  if (!seconds) KeyReader::refuse(*entry, "a duration such as \"8min\"");
  return TimeSpan::of_seconds(*seconds);
}

std::optional<Deadline> find_deadline(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  if (const auto deadline = deadline_of(*entry)) return deadline;
  KeyReader::refuse(*entry, deadline_example());
}

std::optional<std::vector<Deadline>> find_deadlines(const KeyReader& keys, std::string_view key) {
  const TomlEntry* entry = keys.find(key);
  if (entry == nullptr) return std::nullopt;
  std::vector<Deadline> deadlines;
  const auto* list = std::get_if<TomlValue::Array>(&entry->value.content);
  if (list == nullptr) KeyReader::refuse(*entry, "a list of deadlines, each " + deadline_example());
  for (const TomlValue& element : *list) {
    const TomlEntry element_entry{entry->key, element, entry->place};
    const auto deadline = deadline_of(element_entry);
    if (!deadline) KeyReader::refuse(element_entry, deadline_example());
    deadlines.push_back(*deadline);
  }
  return deadlines;
}

std::string date_text(double seconds_since_1970) { return format_date(seconds_since_1970); }

std::string span_text(double seconds) {
  constexpr std::pair<double, const char*> units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}};
  for (const auto& [size, name] : units) {
    const double number = seconds / size;
    if (number == std::floor(number)) return fmt::format("{} {}", number, name);
  }
  return fmt::format("{} s", seconds);
}

}  // namespace tidewise

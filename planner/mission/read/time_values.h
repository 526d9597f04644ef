#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// Values of keys that give times or durations. Errors: InputError, as of KeyReader.

/// A level from 0 on, or a date: text of ISO 8601, or a date of TOML's own.
std::optional<Moment> find_moment(const KeyReader& keys, std::string_view key);
/// A level, which may be fractional, or a date.
std::optional<Moment> find_departure(const KeyReader& keys, std::string_view key);
/// Parses the text of an option: a level from 0 on, or a date.
Moment parse_moment(const std::string& option, const std::string& text);
/// Steps from 1 on, or a duration with its unit, "5 d" or "120 h".
std::optional<TimeSpan> find_span(const KeyReader& keys, std::string_view key);
/// A duration.
std::optional<TimeSpan> find_duration(const KeyReader& keys, std::string_view key);
/// A level, a date or a duration.
std::optional<Deadline> find_deadline(const KeyReader& keys, std::string_view key);
/// A list of deadlines.
std::optional<std::vector<Deadline>> find_deadlines(const KeyReader& keys, std::string_view key);

/// Formats a date as "2024-10-28T03:00:00Z", or a duration as "5 d", as in a mission file.
std::string date_text(double seconds_since_1970);
std::string span_text(double seconds);

}  // namespace tidewise

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// Values of keys that give times or durations. Errors: InputError of KeyReader's kind.

/// A level from 0 on, or a date: text of ISO 8601, or a date of TOML's own.
std::optional<Moment> find_moment(const KeyReader& keys, std::string_view key);
/// The same, or a fractional level.
std::optional<Moment> find_departure(const KeyReader& keys, std::string_view key);
/// A level from 0 on, or a date, that an option names.
Moment parse_moment(const std::string& option, const std::string& text);
/// Steps from 1 on, or a duration with its unit, "5 d" or "120 h".
std::optional<TimeSpan> find_span(const KeyReader& keys, std::string_view key);
/// A duration.
std::optional<TimeSpan> find_duration(const KeyReader& keys, std::string_view key);
/// A level, a date or a duration.
std::optional<Deadline> find_deadline(const KeyReader& keys, std::string_view key);
/// A list of them.
std::optional<std::vector<Deadline>> find_deadlines(const KeyReader& keys, std::string_view key);

/// A date "2024-10-28T03:00:00Z" or a duration "5 d", as the user would type it.
std::string date_text(double seconds_since_1970);
std::string span_text(double seconds);

}  // namespace tidewise

#pragma once

#include <string>

namespace tidewise {

/// The form of a cell that may hold a time.
enum class DateText {
  none,
  date,            ///< the day only: "2025-03-01", "2025/3/1"
  clock,           ///< the time of day only: "06:00", "06:00:30.5Z"
  date_and_clock,  ///< "2025-03-01 06:00", "20250301T060000Z"
  other_date       ///< a date in an order that cannot be read safely: "01/03/2025 06:00"
};

/// The form of a text.
DateText date_text_of(const std::string& text);

/// True for an empty cell, and for "nan", "null" and the like.
bool is_blank(const std::string& text);

/// The text as parse_iso_time() reads it, with "-" in its date and ":" in its time of day. Other
/// text is returned as it is.
std::string iso_text(const std::string& text);

/// "20250301" as "2025-03-01"; empty for text that is not a date in eight digits.
std::string date_of_digits(const std::string& text);

/// "060030" as "06:00:30", "0600" as "06:00:00"; empty for text that is not a time of day in
/// digits.
std::string clock_of_digits(const std::string& text);

}  // namespace tidewise

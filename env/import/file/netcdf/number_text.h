#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// Numbers that an attribute holds as text, such as "-10, 10", "[-5.f 5.f]" or "-999".
struct NumberText {
  std::vector<double> values;
  bool is_floating = false;  ///< whether one has a decimal point, an exponent or a suffix f
};

/// Nothing for a text that holds anything else. No numbers for a text without any, such as "none".
std::optional<NumberText> parse_numbers(const std::string& text);

}  // namespace tidewise::ingest

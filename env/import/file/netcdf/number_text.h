#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// Numbers that an attribute holds as text, such as "-10, 10", "[-5.f 5.f]" or "-999".
struct NumberText {
  std::vector<double> values;
  bool is_floating = false;  ///< a number has a decimal point, an exponent or a suffix f
};

/// Parses the numbers of a text. nullopt if the text also contains other words; no values if it
/// contains no numbers at all, such as "none".
std::optional<NumberText> parse_numbers(const std::string& text);

}  // namespace tidewise::ingest

#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tidewise {

/// Parses the whole of `text` as a decimal number, independent of the locale. nullopt for other
/// text (empty, or with leading blanks or plus sign) and for a number that `Number` cannot hold.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace tidewise

#include "mdp/text/file_text.h"

#include <cmath>

#include "base/parse_number.h"

namespace tidewise::mdp {
namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

std::string_view without_plus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return has_plus ? text.substr(1) : text;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::optional<double> to_number(std::string_view text) {
  const auto number = parse_number<double>(without_plus(text));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  return parse_number<std::int64_t>(without_plus(text));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t max = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, max)) {
    // Bytes of UTF-8 are kept.
    shown += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  }
  return shown + (text.size() > max ? "…'" : "'");
}

bool is_plain_index(std::string_view text) {
  constexpr std::size_t max_digits = 10;
  if (text.empty() || text.size() > max_digits || (text[0] == '0' && text.size() > 1)) {
    return false;
  }
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace tidewise::mdp

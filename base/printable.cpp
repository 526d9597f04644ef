#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace tidewise {
namespace {

/// A character of UTF-8.
struct Character {
  std::size_t size = 0;  ///< [B]; 0 if there is none
  std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t n) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[n]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
  std::uint32_t code = first & (0x7fu >> size);
  for (std::size_t n = 1; n < size; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(n) & 0x3f);
  }
  constexpr std::uint32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < min_code[size] || code > 0x10ffff || surrogate) return {};
  return {size, code};
}

bool is_control(std::uint32_t code) {
  const bool of_ascii = code < 0x20 || code == 0x7f;
  const bool of_c1 = code >= 0x80 && code < 0xa0;
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction = (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return of_ascii || of_c1 || separator || direction;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [size, code] = first_character(text);
    if (size == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (code == '\n' || code == '\t' || !is_control(code)) {
      result += text.substr(0, size);
    } else {
      result += fmt::format("\\u{:04x}", code);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::string on_one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

std::string xml_escaped(std::string_view text) {
  const std::string valid = printable(text);
  std::string escaped;
  for (std::string_view rest = valid; !rest.empty();) {
    const auto [size, code] = first_character(rest);
    rest.remove_prefix(size);
    switch (code) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // XML reads line breaks and tabs of an attribute's value as blanks. It does not allow two
        // codes that are not characters.
        if (code == 0xFFFE || code == 0xFFFF) {
          escaped += '?';
        } else if (code < 0x20 || code > 0x7E) {
          escaped += fmt::format("&#{};", code);
        } else {
          escaped += static_cast<char>(code);
        }
    }
  }
  return escaped;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t head = limit * 2 / 3;
  std::size_t tail = text.size() - limit / 3;
  while (head > 0 && is_inside(head)) --head;
  while (tail < text.size() && is_inside(tail)) ++tail;
  return fmt::format("{} … {}", text.substr(0, head), text.substr(tail));
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = first_character(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace tidewise

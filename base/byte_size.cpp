#include "base/byte_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace tidewise {
namespace {

struct Unit {
  std::string_view name;  // in lower case
  double bytes;
};

constexpr std::array<Unit, 10> units{{{"", 1.0},
                                      {"b", 1.0},
                                      {"kb", 1e3},
                                      {"mb", 1e6},
                                      {"gb", 1e9},
                                      {"tb", 1e12},
                                      {"kib", 1024.0},
                                      {"mib", 1024.0 * 1024},
                                      {"gib", 1024.0 * 1024 * 1024},
                                      {"tib", 1024.0 * 1024 * 1024 * 1024}}};

}  // namespace

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  std::string name(rest, end);
  if (name.starts_with(' ')) name.erase(0, 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& candidate) { return candidate.name == name; });
  if (unit == units.end()) return std::nullopt;
  const double bytes = std::floor(number * unit->bytes);
  constexpr double upper_limit = 9223372036854775808.0;  // 2^63
  if (!(bytes >= 0 && bytes < upper_limit)) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::string describe_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace tidewise

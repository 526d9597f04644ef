#include "app/cli/split_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/parse_number.h"

namespace tidewise {
namespace {

constexpr std::array<std::string_view, 12> units{"m", "km", "nm", "nmi", "s",   "min",
                                                 "h", "d",  "kn", "kts", "m/s", "cm/s"};

bool is_number(std::string_view word) { return parse_number<double>(word).has_value(); }

/// True if a word begins with this form, in which '0' stands for any digit.
bool begins_as(std::string_view word, std::string_view form) {
  if (word.size() < form.size()) return false;
  return std::equal(form.begin(), form.end(), word.begin(), [](char form_letter, char letter) {
    return form_letter == '0' ? std::isdigit(static_cast<unsigned char>(letter)) != 0
                              : form_letter == letter;
  });
}

/// Joins two words that should be one; nullopt if they do not belong together.
std::optional<std::string> joined(std::string_view option, std::string_view value,
                                  std::string_view next) {
  constexpr std::array<std::string_view, 6> places{"--at", "--at-xy", "--from",
                                                   "--to", "--start", "--target"};
  if (std::find(places.begin(), places.end(), option) != places.end()) {
    if (value.ends_with(',')) value.remove_suffix(1);
    if (is_number(value) && is_number(next)) return fmt::format("{},{}", value, next);
  }
  if (begins_as(value, "0000-00-00") && value.size() == 10 && begins_as(next, "00:00")) {
    return fmt::format("{}T{}", value, next);
  }
  std::error_code ignored;
  const bool is_unit = std::find(units.begin(), units.end(), next) != units.end() &&
                       !std::filesystem::exists(next, ignored);
  if (is_unit && is_number(value)) return fmt::format("{}{}", value, next);
  return std::nullopt;
}

}  // namespace

void refuse_split_values(int argc, const char* const* argv) {
  for (int n = 1; n + 1 < argc; ++n) {
    std::string_view option = argv[n];
    if (!option.starts_with("--")) continue;
    const auto equals = option.find('=');
    const bool is_separate = equals == std::string_view::npos;
    const int next_index = is_separate ? n + 2 : n + 1;
    if (next_index >= argc) continue;
    const std::string_view value = is_separate ? argv[n + 1] : option.substr(equals + 1);
    option = option.substr(0, equals);
    const auto word = joined(option, value, argv[next_index]);
    if (!word) continue;
    throw input_error(errors::option_value_split, option, value, argv[next_index], option, *word);
  }
}

}  // namespace tidewise

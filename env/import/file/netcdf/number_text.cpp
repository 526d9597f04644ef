#include "env/import/file/netcdf/number_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

bool is_separator(char letter) {
  return std::string_view(",;:[](){}").find(letter) != std::string_view::npos;
}

bool means_none(const std::string& text) {
  constexpr std::array<std::string_view, 5> words{"", "none", "null", "n/a", "na"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

std::optional<NumberText> parse_numbers(const std::string& text) {
  std::string words = lower_case(trimmed(text));
  NumberText numbers;
  if (means_none(words)) return numbers;
  std::replace_if(words.begin(), words.end(), is_separator, ' ');
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    const std::string suffix = end;  // CDL's suffixes: 1.f, 1s, 1b
    constexpr std::array<std::string_view, 8> suffixes{"", "f", "d", "b", "s", "l", "u", "ll"};
    if (end == word.c_str() ||
        std::find(suffixes.begin(), suffixes.end(), suffix) == suffixes.end()) {
      return std::nullopt;
    }
    numbers.values.push_back(value);
    numbers.is_floating = numbers.is_floating || suffix == "f" || suffix == "d" ||
                          word.find_first_of(".en") != std::string::npos;
  }
  return numbers;
}

}  // namespace tidewise::ingest

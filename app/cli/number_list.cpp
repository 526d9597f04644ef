#include "app/cli/number_list.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/parse_number.h"

namespace tidewise {

std::vector<double> parse_number_list(const std::string& option, const std::string& text,
                                      std::size_t count, const std::string& example) {
  std::vector<double> numbers;
  bool valid = true;
  for (std::size_t begin = 0; valid && begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string_view word = std::string_view(text).substr(begin, comma - begin);
    while (word.starts_with(' ')) word.remove_prefix(1);
    const auto number = parse_number<double>(word);
    valid = number && std::isfinite(*number);
    if (valid) numbers.push_back(*number);
    begin = comma + 1;
  }
  if (valid && numbers.size() == count) return numbers;
  throw input_error(errors::number_list_invalid, option, text, count, option, example);
}

}  // namespace tidewise

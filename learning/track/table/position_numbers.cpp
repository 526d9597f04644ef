#include "learning/track/table/position_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string>

namespace tidewise {
namespace {

/// Number of digits after the decimal point, or comma.
int decimals_of(const std::string& text) {
  const std::size_t point = text.find_last_of(".,");
  if (point == std::string::npos) return 0;
  int count = 0;
  for (std::size_t n = point + 1; n < text.size(); ++n) {
    if (std::isdigit(static_cast<unsigned char>(text[n])) == 0) break;
    ++count;
  }
  return count;
}

}  // namespace

bool is_fill_degrees(double degrees, double limit) {
  constexpr double beyond_notation = 1e6;  // degrees and minutes in one number end at 18000
  const double magnitude = std::abs(degrees);
  if (!(magnitude > limit)) return false;
  if (magnitude >= beyond_notation) return true;
  const std::string digits = fmt::format("{:.7g}", magnitude);  // digits of single precision
  return std::count(digits.begin(), digits.end(), '9') >= 3 &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c == '9' || c == '.'; });
}

double last_digit_of(const TrackColumn& column) {
  int max = 0;
  for (std::size_t row = 0; row < column.numbers.size(); ++row) {
    if (!std::isfinite(column.numbers[row])) continue;
    std::string text;
    if (column.texts.empty()) {
      text = fmt::format("{:.9f}", column.numbers[row]);
      while (text.back() == '0') text.pop_back();  // binary numbers have no significant end zeros
    } else {
      text = column.texts[row];
    }
    max = std::max(max, decimals_of(text));
  }
  return std::pow(10.0, -max);
}

}  // namespace tidewise

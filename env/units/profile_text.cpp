#include "env/units/profile_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/parse_number.h"
#include "env/units/depths.h"

namespace tidewise {

bool is_profile_name(const std::string& name) {
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
  };
  return !name.empty() && name.size() <= max_profile_name &&
         std::all_of(name.begin(), name.end(), is_plain);
}

bool are_profile_depths(const std::string& text) {
  constexpr double slack = 1e-3;  // of the sum, because shares are rounded
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t at = part.find('@');
    const auto share =
        at == std::string::npos ? std::optional(1.0) : parse_number<double>(part.substr(at + 1));
    if (!parse_depths(part.substr(0, at)) || !share || !(*share >= 0 && *share <= 1)) return false;
    sum += *share;
    if (++count > max_depth_ranges) return false;
    begin = end + 1;
  }
  return std::abs(sum - 1) <= slack;
}

}  // namespace tidewise

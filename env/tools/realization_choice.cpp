#include "env/tools/realization_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/random.h"

namespace tidewise {
namespace {

std::optional<std::int32_t> parse_whole(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto value = parse_number<std::int32_t>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

/// "7" or "10-19".
std::optional<std::pair<std::int32_t, std::int32_t>> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = parse_whole(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_whole(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

void require_between(const char* option, std::int32_t value, std::int32_t count) {
  if (value >= 1 && value <= count) return;
  throw InputError(
      fmt::format("{} is {}, and the environment has {} realizations; choose from 1 "
                  "to {}",
                  option, value, count, count));
}

std::vector<std::int32_t> first_ones(std::int32_t number) {
  std::vector<std::int32_t> chosen(static_cast<std::size_t>(number));
  std::iota(chosen.begin(), chosen.end(), 0);
  return chosen;
}

}  // namespace

std::vector<std::int32_t> parse_realizations(const std::string& option, const std::string& text,
                                             std::int32_t count) {
  if (const auto number = parse_whole(text)) {
    require_between(option.c_str(), *number, count);
    return first_ones(*number);
  }
  std::vector<std::int32_t> chosen;
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto range = parse_range(std::string_view(text).substr(begin, end - begin));
    if (!range) {
      throw InputError(fmt::format("{} is \"{}\"; it must be how many, or a list such as 0,5,10-19",
                                   option, text));
    }
    if (range->second >= count) {
      throw InputError(
          fmt::format("{} names realization {}; the environment has {}, numbered 0 to "
                      "{}",
                      option, range->second, count, count - 1));
    }
    for (std::int32_t r = range->first; r <= range->second; ++r) {
      if (seen[static_cast<std::size_t>(r)]) {
        throw InputError(
            fmt::format("{} names realization {} twice; name each once (a weight "
                        "makes one count for more)",
                        option, r));
      }
      seen[static_cast<std::size_t>(r)] = true;
      chosen.push_back(r);
    }
    begin = end + 1;
  }
  return chosen;
}

std::vector<std::int32_t> every_realization(std::int32_t step, std::int32_t count) {
  require_between("--every", step, count);
  std::vector<std::int32_t> chosen;
  for (std::int32_t r = 0; r < count; r += step) chosen.push_back(r);
  return chosen;
}

std::vector<std::int32_t> random_realizations(std::int32_t number, std::uint64_t seed,
                                              std::int32_t count) {
  require_between("--random", number, count);
  // The first draws of a Fisher–Yates shuffle.
  std::vector<std::int32_t> all = first_ones(count);
  const Philox random(seed);
  for (std::int32_t n = 0; n < number; ++n) {
    const Philox::Words words = random(static_cast<std::uint32_t>(n), 0);
    const std::uint32_t bound = static_cast<std::uint32_t>(count - n);
    const std::uint32_t ahead = to_range(words.word[0], words.word[1], bound);
    std::swap(all[static_cast<std::size_t>(n)], all[static_cast<std::size_t>(n) + ahead]);
  }
  all.resize(static_cast<std::size_t>(number));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tidewise

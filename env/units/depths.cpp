#include "env/units/depths.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"

namespace tidewise {
namespace {

constexpr double max_depth = 12000;  // [m] no sea is deeper

}  // namespace

std::optional<double> parse_depth(std::string_view text) {
  if (text.ends_with("m")) text.remove_suffix(1);
  const auto depth = parse_number<double>(text);
  return depth && *depth >= 0 && *depth <= max_depth ? depth : std::nullopt;
}

namespace {

std::optional<Depths> parse_range(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const bool is_held = text.substr(0, colon) == "at";
  const auto to = parse_depth(text.substr(colon + 1));
  const auto from = is_held ? to : parse_depth(text.substr(0, colon));
  if (!from || !to || *from > *to) return {};
  return Depths{*from, *to};
}

}  // namespace

std::vector<Depths> parse_depth_ranges(std::string_view text) {
  std::vector<Depths> ranges;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t at = part.find('@');
    const auto range = parse_range(part.substr(0, at));
    if (!range) return {};
    const bool takes_time =
        at == std::string_view::npos || parse_number<double>(part.substr(at + 1)) != 0.0;
    if (takes_time) ranges.push_back(*range);
    begin = end + 1;
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Depths& a, const Depths& b) { return a.from < b.from; });
  std::vector<Depths> joined;
  for (const Depths& range : ranges) {
    if (!joined.empty() && range.from <= joined.back().to) {
      joined.back().to = std::max(joined.back().to, range.to);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

std::optional<Depths> parse_depths(std::string_view text) {
  const std::vector<Depths> ranges = parse_depth_ranges(text);
  return ranges.size() == 1 ? std::optional(ranges.front()) : std::nullopt;
}

std::optional<double> deepest_of(std::string_view text) {
  const std::vector<Depths> ranges = parse_depth_ranges(text);
  return ranges.empty() ? std::nullopt : std::optional(ranges.back().to);
}

bool are_even(std::string_view text) {
  return text.find(',') == std::string_view::npos && parse_depths(text);
}

std::string brief_depths(const std::string& text) {
  constexpr std::ptrdiff_t max_count = 3;
  const std::vector<Depths> ranges = parse_depth_ranges(text);
  const auto count = 1 + std::count(text.begin(), text.end(), ',');
  if (ranges.empty() || count <= max_count) return text;
  return fmt::format("{} ranges within {}:{}", count, ranges.front().from, ranges.back().to);
}

std::string describe_ranges(const std::vector<Depths>& ranges, std::string_view to) {
  constexpr std::size_t max_count = 4;
  if (ranges.size() > max_count) {
    return fmt::format("{} ranges between {} and {} m", ranges.size(), ranges.front().from,
                       ranges.back().to);
  }
  std::string text;
  for (std::size_t n = 0; n < ranges.size(); ++n) {
    if (n > 0) text += n + 1 == ranges.size() ? " and " : ", ";
    text += fmt::format("{}", ranges[n].from);
    if (!ranges[n].are_held()) text += fmt::format("{}{}", to, ranges[n].to);
  }
  return text + " m";
}

std::string describe_dive(std::string_view name, std::string_view depths, std::string_view to) {
  const std::vector<Depths> ranges = parse_depth_ranges(depths);
  if (ranges.empty()) return fmt::format("dive {}", name);
  const std::string suffix = name.empty() ? "" : fmt::format(" ({})", name);
  if (ranges.size() == 1 && ranges.front().to == 0) return "stay at the surface";
  const std::string extent = describe_ranges(ranges, to);
  if (ranges.size() == 1 && ranges.front().are_held()) return "hold " + extent + suffix;
  // A name such as "dive" or "0-1000" adds nothing to the depths.
  std::string name_as_depths(name);
  std::replace(name_as_depths.begin(), name_as_depths.end(), '-', ':');
  if (name.empty() || name == "dive" || name_as_depths == depths) return "dive " + extent;
  return fmt::format("dive {} ({})", name, extent);
}

}  // namespace tidewise

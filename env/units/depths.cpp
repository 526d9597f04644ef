#include "env/units/depths.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"

namespace tidewise {
namespace {

constexpr double greatest_depth = 12000;  // [m] no sea is deeper

}  // namespace

std::optional<double> parse_depth(std::string_view text) {
  if (text.ends_with("m")) text.remove_suffix(1);
  const auto depth = parse_number<double>(text);
  return depth && *depth >= 0 && *depth <= greatest_depth ? depth : std::nullopt;
}

namespace {

std::optional<Depths> parse_range(std::string_view told) {
  const auto colon = told.find(':');
  if (colon == std::string_view::npos) return {};
  const bool is_held = told.substr(0, colon) == "at";
  const auto to = parse_depth(told.substr(colon + 1));
  const auto from = is_held ? to : parse_depth(told.substr(0, colon));
  if (!from || !to || *from > *to) return {};
  return Depths{*from, *to};
}

}  // namespace

std::optional<Depths> parse_depths(std::string_view told) {
  std::optional<Depths> depths;
  for (std::size_t begin = 0; begin <= told.size();) {
    const std::size_t end = std::min(told.find(',', begin), told.size());
    const std::string_view part = told.substr(begin, end - begin);
    const auto own = parse_range(part.substr(0, part.find('@')));
    if (!own) return {};
    if (!depths) depths = own;
    depths = {std::min(depths->from, own->from), std::max(depths->to, own->to)};
    begin = end + 1;
  }
  return depths;
}

bool are_even(std::string_view told) {
  return told.find(',') == std::string_view::npos && parse_depths(told);
}

std::string brief_depths(const std::string& told) {
  constexpr std::ptrdiff_t most = 3;
  const auto depths = parse_depths(told);
  const auto count = 1 + std::count(told.begin(), told.end(), ',');
  if (!depths || count <= most) return told;
  return fmt::format("{} ranges within {}:{}", count, depths->from, depths->to);
}

std::string describe_dive(std::string_view name, std::string_view told, std::string_view to) {
  const auto depths = parse_depths(told);
  if (!depths) return fmt::format("dive {}", name);
  if (depths->to == 0) return "stay at the surface";
  const std::string own = name.empty() ? "" : fmt::format(" ({})", name);
  if (depths->are_held()) return fmt::format("hold {} m{}", depths->to, own);
  const std::string range = fmt::format("{}{}{} m", depths->from, to, depths->to);
  return name.empty() ? "dive " + range : fmt::format("dive {} ({})", name, range);
}

}  // namespace tidewise

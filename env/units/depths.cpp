#include "env/units/depths.h"

#include <fmt/format.h>

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

std::optional<Depths> parse_depths(std::string_view told) {
  const auto colon = told.find(':');
  if (colon == std::string_view::npos) return {};
  const bool is_held = told.substr(0, colon) == "at";
  const auto to = parse_depth(told.substr(colon + 1));
  const auto from = is_held ? to : parse_depth(told.substr(0, colon));
  if (!from || !to || *from > *to) return {};
  return Depths{*from, *to};
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

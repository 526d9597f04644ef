#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// Depths between which a dive goes [m below the surface].
struct Depths {
  double from = 0;
  double to = 0;  ///< no less than `from`; alike: the depth is held

  bool are_held() const { return from == to; }
};

/// [m below the surface], with its unit or without; nothing for other text and for what is deeper
/// than any sea.
std::optional<double> parse_depth(std::string_view text);

/// The ranges of "FROM:TO" or "at:DEPTH" ("0:1000", "at:200m"), or of several with shares of the
/// time ("0:50@0.4,50:100@0.6"), the shallowest first. Ranges that touch or overlap are one, since
/// a dive passes from one to the other; ranges with a gap between them stay apart. A range without
/// time is left out. Empty for other text and where the deeper depth of a range comes first.
std::vector<Depths> parse_depth_ranges(std::string_view told);

/// The one range of a dive. Nothing for other text, and for ranges with a gap between them.
std::optional<Depths> parse_depths(std::string_view told);

/// The deepest depth of all ranges [m]; nothing for other text.
std::optional<double> deepest_of(std::string_view told);

/// Whether time is spent evenly between two depths, or at one.
bool are_even(std::string_view told);

/// As they were told; many as how many they are and between which depths.
std::string brief_depths(const std::string& told);

/// "0–10 and 300–400 m"; more than four ranges as how many they are and between which depths. `to`
/// stands between two depths. Requires ranges.
std::string describe_ranges(const std::vector<Depths>& ranges, std::string_view to);

/// "dive deep (0–1000 m)", "dive two (0–10 and 300–400 m)", "hold 500 m (park)", "stay at the
/// surface": a profile as an order to the vehicle. `name` may be empty; `told`: its depths; `to`
/// stands between two of them.
std::string describe_dive(std::string_view name, std::string_view told, std::string_view to);

}  // namespace tidewise

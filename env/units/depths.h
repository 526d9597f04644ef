#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// "FROM:TO" or "at:DEPTH" ("0:1000", "at:200m"); of several, with shares of the time
/// ("0:50@0.4,50:100@0.6"), the depths between which all of them lie. Nothing for other text and
/// where the deeper one comes first.
std::optional<Depths> parse_depths(std::string_view told);

/// Whether time is spent evenly between two depths, or at one.
bool are_even(std::string_view told);

/// As they were told; many as how many they are and between which depths.
std::string brief_depths(const std::string& told);

/// "dive deep (0–1000 m)", "hold 500 m (park)", "stay at the surface": what a profile is to who
/// steers. `name` may be empty; `told`: its depths; `to`: what stands between two of them.
std::string describe_dive(std::string_view name, std::string_view told, std::string_view to);

}  // namespace tidewise

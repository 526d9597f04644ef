#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// The depth range of a dive [m below the surface].
struct Depths {
  double from = 0;
  double to = 0;  ///< ≥ `from`; if equal, the vehicle holds this depth

  /// True if the vehicle holds one depth.
  bool are_held() const { return from == to; }
};

/// Parses a depth [m below the surface], with or without unit; nullopt for other text and for
/// depths beyond the deepest sea.
std::optional<double> parse_depth(std::string_view text);

/// Parses "FROM:TO" or "at:DEPTH" ("0:1000", "at:200m"), or several ranges with shares of the time
/// ("0:50@0.4,50:100@0.6"), and returns the ranges, the shallowest first. Ranges that touch or
/// overlap are joined, because a dive passes from one to the other; ranges with a gap between them
/// stay separate. A range with a share of 0 is left out. Empty for other text, and if the deeper
/// depth of a range comes first.
std::vector<Depths> parse_depth_ranges(std::string_view text);

/// The only range of a dive; nullopt for other text, and for ranges with a gap between them.
std::optional<Depths> parse_depths(std::string_view text);

/// The deepest depth of all ranges [m]; nullopt for other text.
std::optional<double> deepest_of(std::string_view text);

/// True if time is spent evenly between two depths, or at one depth.
bool are_even(std::string_view text);

/// The depths as given; if there are many ranges, their number and extreme depths instead.
std::string brief_depths(const std::string& text);

/// Describes ranges as "0–10 and 300–400 m"; for more than four, their number and extreme depths.
/// `to` separates two depths. Requires at least one range.
std::string describe_ranges(const std::vector<Depths>& ranges, std::string_view to);

/// Describes a profile as an order to the vehicle: "dive deep (0–1000 m)", "dive two (0–10 and
/// 300–400 m)", "hold 500 m (park)", "stay at the surface". `name` may be empty; `depths`: as in
/// EnvironmentProfile; `to` separates two depths.
std::string describe_dive(std::string_view name, std::string_view depths, std::string_view to);

}  // namespace tidewise

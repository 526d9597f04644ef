#pragma once

#include <optional>
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

/// "FROM:TO" or "at:DEPTH" ("0:1000", "at:200m"); nothing for other text and where the deeper one
/// comes first.
std::optional<Depths> parse_depths(std::string_view told);

}  // namespace tidewise

#pragma once

#include <array>
#include <string>

namespace tidewise {

/// A length as a person writes it: "3km", "3000", "3000m", "2nmi" → metres.
/// Errors: InputError naming `option` for anything else, and for lengths that are not above 0.
double parse_length(const std::string& option, const std::string& text);

/// A duration: "3h", "30min", "10800", "10800s", "1d" → seconds. Errors as parse_length.
double parse_duration(const std::string& option, const std::string& text);

/// The same, or 0: "0h", "24h" → seconds.
double parse_lead_time(const std::string& option, const std::string& text);

/// A speed: "0.15m/s", "0.15", "15cm/s", "0.3kn" → m s-1. Errors as parse_length.
double parse_speed(const std::string& option, const std::string& text);

/// West, south, east, north [degrees]. East may lie beyond 180, or west of west across 180°.
using BoundingBox = std::array<double, 4>;

/// "W,S,E,N" [degrees]. Errors: InputError naming `option`.
BoundingBox parse_bounding_box(const std::string& option, const std::string& text);

}  // namespace tidewise

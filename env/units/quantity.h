#pragma once

#include <array>
#include <string>

namespace tidewise {

/// Parses a length: "3km", "3000", "3000m", "2nmi" → metres. Errors: InputError naming `option` for
/// other text, and for lengths that are not above 0.
double parse_length(const std::string& option, const std::string& text);

/// Parses a duration: "3h", "30min", "10800", "10800s", "1d" → seconds. Errors: those of
/// parse_length().
double parse_duration(const std::string& option, const std::string& text);

/// Parses a duration that may be 0: "0h", "24h" → seconds. Errors: those of parse_length().
double parse_lead_time(const std::string& option, const std::string& text);

/// Parses a speed: "0.15m/s", "0.15", "15cm/s", "0.3kn" → m s-1. Errors: those of parse_length().
double parse_speed(const std::string& option, const std::string& text);

/// West, south, east, north [degrees]. Across 180°, east may be beyond 180 or less than west.
using BoundingBox = std::array<double, 4>;

/// Parses "W,S,E,N" [degrees]. Errors: InputError naming `option`.
BoundingBox parse_bounding_box(const std::string& option, const std::string& text);

}  // namespace tidewise

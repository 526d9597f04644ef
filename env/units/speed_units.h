#pragma once

#include <optional>
#include <string>

namespace tidewise {

/// The factor from these units of speed to m s-1. Accepts common spellings of a length per time
/// ("m s-1", "meters second-1", "cm/s", "km per hour", "0.01 m s-1"), and knots. Empty text means
/// m s-1. nullopt for other text.
std::optional<double> speed_factor(const std::string& units);

/// True if two texts are equal, or name the same unit of a speed, a length or an angle.
bool are_same_units(const std::string& first, const std::string& second);

}  // namespace tidewise

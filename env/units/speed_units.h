#pragma once

#include <optional>
#include <string>

namespace tidewise {

/// What turns a speed in these units into m s-1: a length by a time as people spell them ("m s-1",
/// "meters second-1", "cm/s", "km per hour", "0.01 m s-1"), and knots. Nothing for what is no
/// speed; no text counts as m s-1.
std::optional<double> speed_factor(const std::string& units);

/// Whether two texts mean the same unit, of a speed, a length or an angle, or are the same text.
bool are_same_units(const std::string& one, const std::string& other);

}  // namespace tidewise

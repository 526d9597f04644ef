#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace tidewise {

/// A number as JSON can have it: null for NaN and infinity.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace tidewise

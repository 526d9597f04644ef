#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace tidewise {

/// The number; null for NaN and infinity, which JSON cannot hold.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace tidewise

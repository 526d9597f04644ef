#pragma once

#include <numbers>

namespace tidewise {

inline constexpr double radians_per_degree = std::numbers::pi / 180;
inline constexpr double degrees_per_radian = 180 / std::numbers::pi;

}  // namespace tidewise

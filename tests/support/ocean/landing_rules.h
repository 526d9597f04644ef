#pragma once

#include "model_builder/step/position.h"

namespace tidewise::test {

inline constexpr PositionRule by_area{LandingBy::area, 3};
inline constexpr PositionRule by_cell{LandingBy::cell, 3};

}  // namespace tidewise::test

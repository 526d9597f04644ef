#pragma once

#include "model_builder/step/position.h"

namespace tidewise::test {

/// Bilinear weights and nearest cell, with bins of 1/8 of a cell.
inline constexpr PositionRule by_area{LandingBy::area, 3};
inline constexpr PositionRule by_cell{LandingBy::cell, 3};

}  // namespace tidewise::test

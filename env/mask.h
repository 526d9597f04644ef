#pragma once

#include <cstdint>

namespace tidewise {

// What a mask says of a cell: 0 is open water, and all else is closed alike, to plans and to
// flights. Why it is closed is told of the flights that end there.
inline constexpr std::uint8_t closed_by_obstacle = 1;  ///< an obstacle or land
inline constexpr std::uint8_t beyond_forecast = 2;     ///< the forecast's source says nothing there

}  // namespace tidewise

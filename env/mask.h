#pragma once

#include <cstdint>

namespace tidewise {

// Values of a mask: 0 is open water. All other values close the cell to plans and flights. They
// differ only in the reason that is reported for flights that end in the cell.
inline constexpr std::uint8_t closed_by_obstacle = 1;  ///< an obstacle or land
inline constexpr std::uint8_t beyond_forecast = 2;     ///< the forecast's source has no data there

}  // namespace tidewise

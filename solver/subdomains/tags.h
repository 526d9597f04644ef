#pragma once

namespace tidewise {

// What messages between bands are for.
inline constexpr int halo_tag = 101;    ///< values for the receiver's halo
inline constexpr int gather_tag = 102;  ///< a band's part of a level, for rank 0

}  // namespace tidewise

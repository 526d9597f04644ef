#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "base/parallel/communicator.h"
#include "env/row_window.h"

namespace tidewise {

// What messages between bands are for.
inline constexpr int halo_tag = 101;    ///< values for the receiver's halo
inline constexpr int gather_tag = 102;  ///< a band's part of a level, for rank 0

/// What one band and a neighbour give each other of a plane of values, the window's (row, x):
/// as many values either way, each in one piece.
struct HaloSide {
  int neighbour = 0;              ///< its rank
  std::size_t send_begin = 0;     ///< of the band's own rows next to the border
  std::size_t receive_begin = 0;  ///< of the halo beyond it
  std::size_t count = 0;          ///< values
};

/// Of the band of `rank`, south before north, where it has neighbours. `nx`: columns. Requires a
/// halo that is no higher than the lowest band (divide_rows).
std::vector<HaloSide> halo_sides(const RowWindow& window, int rank, std::int32_t nx);

/// The values next to a band, which a step from it can reach: `value`, (known row, x), holds the
/// band's own rows, and its halo becomes what the neighbours hold. Called by all bands.
void exchange_halos(Communicator& communicator, const std::vector<HaloSide>& sides,
                    View<float> value);

}  // namespace tidewise

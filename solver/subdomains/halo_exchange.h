#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "base/parallel/communicator.h"
#include "env/row_window.h"

namespace tidewise {

// Tags of the messages between bands.
inline constexpr int halo_tag = 101;    ///< values for the receiver's halo
inline constexpr int gather_tag = 102;  ///< a band's part of a level, for rank 0

/// Exchange of a plane of values, (row, x) of the window, between a band and one neighbour: the
/// same number of contiguous values in both directions.
struct HaloSide {
  int neighbour = 0;           ///< rank
  std::size_t send_begin = 0;  ///< first value to send: of the band's own rows next to the border
  std::size_t receive_begin = 0;  ///< first value to receive: of the halo beyond the border
  std::size_t count = 0;          ///< number of values
};

/// Sides of the band of `rank` that have neighbours, south before north. `nx`: columns. Requires a
/// halo that is no higher than the lowest band (divide_rows).
std::vector<HaloSide> halo_sides(const RowWindow& window, int rank, std::int32_t nx);

/// Fills the halo rows of `value`, (known row, x), with the neighbours' values. Called by all
/// bands.
void exchange_halos(Communicator& communicator, const std::vector<HaloSide>& sides,
                    View<float> value);

}  // namespace tidewise

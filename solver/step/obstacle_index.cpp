#include "solver/step/obstacle_index.h"

#include <algorithm>

namespace tidewise {

ObstacleIndex::ObstacleIndex(const Grid& grid, View<const std::uint8_t> masked_now,
                             View<const std::uint8_t> masked_next)
    : grid_(grid),
      sums_(static_cast<std::size_t>(grid.nx + 1) * static_cast<std::size_t>(grid.ny + 1), 0) {
  const auto stride = static_cast<std::size_t>(grid.nx + 1);
  std::size_t cell = 0;
  for (std::size_t j = 1; j <= static_cast<std::size_t>(grid.ny); ++j) {
    std::int32_t row = 0;
    for (std::size_t i = 1; i < stride; ++i, ++cell) {
      row += masked_now[cell] != 0 || masked_next[cell] != 0 ? 1 : 0;
      sums_[j * stride + i] = sums_[(j - 1) * stride + i] + row;
    }
  }
}

bool ObstacleIndex::any(std::int32_t i_first, std::int32_t i_last, std::int32_t j_first,
                        std::int32_t j_last) const {
  const auto west = static_cast<std::size_t>(std::clamp(i_first, 0, grid_.nx));
  const auto east = static_cast<std::size_t>(std::clamp(i_last + 1, 0, grid_.nx));
  const auto south = static_cast<std::size_t>(std::clamp(j_first, 0, grid_.ny));
  const auto north = static_cast<std::size_t>(std::clamp(j_last + 1, 0, grid_.ny));
  const auto stride = static_cast<std::size_t>(grid_.nx + 1);
  return sums_[north * stride + east] - sums_[north * stride + west] -
             sums_[south * stride + east] + sums_[south * stride + west] !=
         0;
}

}  // namespace tidewise

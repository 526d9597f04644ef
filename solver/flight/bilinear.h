#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

/// The four cell centres around a point, with their weights. Weights sum to 1, or are all 0 if
/// every centre with a weight is dry.
struct BilinearStencil {
  std::int32_t cell[4] = {0, 0, 0, 0};
  double weight[4] = {0, 0, 0, 0};
};

/// Bilinear weights between cell centres that are not dry. Dry centres are left out, because their
/// zero flow would slow the water next to land. Outside the outermost centres the nearest point
/// between them is used. dry: (y, x). Requires two columns and rows.
TIDEWISE_HOST_DEVICE inline BilinearStencil bilinear_stencil(const Grid& grid,
                                                             View<const std::uint8_t> dry, double x,
                                                             double y) {
  const auto clamp = [](double v, double max) { return v < 0 ? 0 : (v > max ? max : v); };
  const double p = clamp((x - grid.x_first) / grid.dx, grid.nx - 1);
  const double q = clamp((y - grid.y_first) / grid.dy, grid.ny - 1);
  const auto west = static_cast<std::int32_t>(p < grid.nx - 2 ? std::floor(p) : grid.nx - 2);
  const auto south = static_cast<std::int32_t>(q < grid.ny - 2 ? std::floor(q) : grid.ny - 2);
  const double east_share = p - west;
  const double north_share = q - south;
  BilinearStencil stencil;
  double sum = 0;
  for (std::int32_t n = 0; n < 4; ++n) {
    const std::int32_t i = n & 1;
    const std::int32_t j = n >> 1;
    stencil.cell[n] = grid.cell(west + i, south + j).value;
    if (dry[static_cast<std::size_t>(stencil.cell[n])] != 0) continue;
    stencil.weight[n] =
        (i == 1 ? east_share : 1 - east_share) * (j == 1 ? north_share : 1 - north_share);
    sum += stencil.weight[n];
  }
  for (double& weight : stencil.weight) weight = sum > 0 ? weight / sum : 0;
  return stencil;
}

/// Σ weight · value(cell), over cells with a positive weight. Value: double(std::size_t cell).
template <class Value>
TIDEWISE_HOST_DEVICE double interpolate(const BilinearStencil& stencil, const Value& value) {
  double sum = 0;
  for (std::int32_t n = 0; n < 4; ++n) {
    if (stencil.weight[n] == 0) continue;
    sum += stencil.weight[n] * value(static_cast<std::size_t>(stencil.cell[n]));
  }
  return sum;
}

}  // namespace tidewise

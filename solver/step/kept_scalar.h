#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/grid.h"
#include "solver/step/mission.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// What g of docs/model.md, 3.11 is to a flight, which knows its true position, in the step from a
/// level to the next. Trivially copyable.
struct KeptScalar {
  enum class By : std::uint8_t {
    field,  ///< the level's, bilinear, as of any scalar field
    cell,   ///< the level's, in the cell that holds the position
    disc,   ///< 1 in the disc, 0 outside of it
    point   ///< minus the distance from a point
  };

  By by = By::field;
  TargetDisc disc = {};
  PlanePoint now = {};   ///< of `point`: where it is at the level …
  PlanePoint next = {};  ///< … and at the next one

  /// Where it is not `field`. `level`: g of a level, (y, x); `from`: the point at that level.
  TIDEWISE_HOST_DEVICE float at(const Grid& grid, View<const float> level, const PlanePoint& from,
                                double x, double y) const {
    if (by == By::point) {
      const double along_x = x - from.x;
      const double along_y = y - from.y;
      return static_cast<float>(-std::sqrt(along_x * along_x + along_y * along_y));
    }
    if (by == By::disc) return disc.met_by(grid, x, y, x, y) <= 1 ? 1.0F : 0.0F;
    const std::int32_t column = grid.column_at(x);
    const std::int32_t row = grid.row_at(y);
    if (!grid.contains(column, row)) return 0;
    return level[static_cast<std::size_t>(grid.cell(column, row).value)];
  }
};

/// In the step from level k. Requires k before the last level.
inline KeptScalar kept_scalar(const KeptPlace& place, TimeLevel k) {
  using By = KeptScalar::By;
  if (!place.track.empty()) {
    const auto level = static_cast<std::size_t>(k.value);
    return {By::point, TargetDisc(), place.track[level], place.track[level + 1]};
  }
  if (!place.line.empty()) return KeptScalar();
  return {place.disc.radius > 0 ? By::disc : By::cell, place.disc, {}, {}};
}

}  // namespace tidewise

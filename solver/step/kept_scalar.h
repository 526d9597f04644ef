#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/grid.h"
#include "solver/step/mission.h"
#include "solver/step/target_disc.h"

namespace tidewise {

/// The scalar g of docs/model.md, 3.11 for a flight at its true position, in the step from one
/// level to the next. Trivially copyable.
struct KeptScalar {
  /// Source of g.
  enum class By : std::uint8_t {
    field,  ///< the level's field, bilinear, as for any scalar field
    cell,   ///< the level's field, in the cell that holds the position
    disc,   ///< 1 in the disc, 0 outside
    point   ///< minus the distance to a moving point
  };

  By by = By::field;
  TargetDisc disc = {};
  PlanePoint now = {};   ///< position of the moving point at level k, for By::point
  PlanePoint next = {};  ///< position of the moving point at level k+1

  /// g at (x, y). Requires that `by` is not By::field. `level`: g of a level, (y, x); `from`:
  /// position of the moving point at that level.
  TIDEWISE_HOST_DEVICE float at(const Grid& grid, View<const float> level, const PlanePoint& from,
                                double x, double y) const {
    if (by == By::point) {
      const double along_x = x - from.x;
      const double along_y = y - from.y;
      return static_cast<float>(-std::sqrt(along_x * along_x + along_y * along_y));
    }
    if (by == By::disc) return disc.entered_by(grid, x, y, x, y) <= 1 ? 1.0F : 0.0F;
    const std::int32_t column = grid.column_at(x);
    const std::int32_t row = grid.row_at(y);
    if (!grid.contains(column, row)) return 0;
    return level[static_cast<std::size_t>(grid.cell(column, row).value)];
  }
};

/// g for the step from level k. Requires k before the last level.
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

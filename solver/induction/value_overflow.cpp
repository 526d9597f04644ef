#include "solver/induction/value_overflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tidewise {

void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value) {
  const float* bad =
      std::find_if(value.begin(), value.end(), [](float v) { return !std::isfinite(v); });
  if (bad == value.end()) return;
  const CellIndex cell(static_cast<std::int32_t>(bad - value.begin()));
  throw InputError(fmt::format(
      "rewards at level {} (row {}, column {}) are too large for single precision; reduce "
      "mission.harvest.c_r, or give the scalar field in a larger unit",
      k.value, grid.first_row + grid.row(cell), grid.column(cell)));
}

}  // namespace tidewise

#include "solver/induction/value_overflow.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "solver/error/codes.h"

namespace tidewise {

void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value) {
  const float* overflowed =
      std::find_if(value.begin(), value.end(), [](float v) { return !std::isfinite(v); });
  if (overflowed == value.end()) return;
  const CellIndex cell(static_cast<std::int32_t>(overflowed - value.begin()));
  throw input_error(errors::value_overflows, k.value, grid.first_row + grid.row(cell),
                    grid.column(cell));
}

}  // namespace tidewise

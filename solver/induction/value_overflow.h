#pragma once

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

/// Refuses a level with a cell of which no action's expectation was a finite number, which
/// harvesting alone can bring about in a mission that was resolved. value: (y, x).
/// Errors: InputError naming the first such cell.
void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value);

}  // namespace tidewise

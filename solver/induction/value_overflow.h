#pragma once

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

/// Refuses a level with a cell in which no action has a finite expectation. In a resolved mission
/// only harvesting can cause that. value: (y, x). Errors: InputError that names the first such
/// cell.
void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value);

}  // namespace tidewise

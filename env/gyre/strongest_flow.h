#pragma once

#include "env/level_fields.h"

namespace tidewise::gyre {

/// Speed of the strongest flow of any cell and realization, in the fields' unit, in float32: exact
/// but for its round-off. Cells that a bound rules out are left out, which are nearly all.
double strongest_flow(const LevelView& level);

}  // namespace tidewise::gyre

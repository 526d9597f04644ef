#pragma once

#include "env/level_fields.h"

namespace tidewise::gyre {

/// Greatest speed of all cells and realizations, in the fields' unit, exact to the round-off of
/// float32. Nearly all cells are skipped, because an upper bound excludes them.
double strongest_flow(const LevelView& level);

}  // namespace tidewise::gyre

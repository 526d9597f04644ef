#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tidewise {

/// Levels [first, end) at which what holds from `start` to `stop`, both included, holds; when it
/// comes and goes between two levels, the nearer one. `levels`: their times, ascending, in the unit
/// of the two. Empty, {0, 0}, where it lies before the first level or after the last.
std::pair<std::size_t, std::size_t> levels_within(const std::vector<double>& levels, double start,
                                                  double stop);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tidewise {

/// The levels [first, end) from time `start` to time `stop`, both included. A period that lies
/// between two levels is assigned to the nearer one. `levels`: their times, ascending, in the unit
/// of `start` and `stop`. {0, 0} if the period lies before the first level or after the last.
std::pair<std::size_t, std::size_t> levels_within(const std::vector<double>& levels, double start,
                                                  double stop);

}  // namespace tidewise

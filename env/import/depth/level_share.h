#pragma once

#include <algorithm>
#include <cstddef>

namespace tidewise::ingest {

/// What level k of `count` at the depths `depth` (growing, [m]) counts for in the mean of a field
/// from one depth to another, both alike: at that depth. The field is linear between levels, and
/// even above the first and below the last. The shares of all levels sum to 1.
inline double level_share(const double* depth, std::size_t count, std::size_t k, double from,
                          double to) {
  const bool first = k == 0;
  const bool last = k + 1 == count;
  const double here = depth[k];
  const double above = first ? here : depth[k - 1];
  const double below = last ? here : depth[k + 1];
  if (!(to > from)) {
    if (from <= here)
      return first || from == here ? 1 : std::max(0.0, (from - above) / (here - above));
    return last ? 1 : std::max(0.0, (below - from) / (below - here));
  }
  double sum = 0;  // the integral of the level's hat
  if (first) {
    sum += std::max(0.0, std::min(to, here) - from);
  } else if (const double low = std::max(from, above), high = std::min(to, here); high > low) {
    sum += (high - low) * (high + low - 2 * above) / (2 * (here - above));
  }
  if (last) {
    sum += std::max(0.0, to - std::max(from, here));
  } else if (const double low = std::max(from, here), high = std::min(to, below); high > low) {
    sum += (high - low) * (2 * below - high - low) / (2 * (below - here));
  }
  return sum / (to - from);
}

}  // namespace tidewise::ingest

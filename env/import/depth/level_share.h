#pragma once

#include <algorithm>
#include <cstddef>

namespace tidewise::ingest {

/// The weight of level k in the mean of a field between the depths `from` and `to` [m], or at one
/// depth if they are equal. `depth`: depths of the `count` levels, ascending [m]. The field is
/// linear between levels, and constant above the first and below the last. The weights of all
/// levels sum to 1.
inline double level_share(const double* depth, std::size_t count, std::size_t k, double from,
                          double to) {
  const bool first = k == 0;
  const bool last = k + 1 == count;
  const double own = depth[k];
  const double above = first ? own : depth[k - 1];
  const double below = last ? own : depth[k + 1];
  if (!(to > from)) {
    if (from <= own)
      return first || from == own ? 1 : std::max(0.0, (from - above) / (own - above));
    return last ? 1 : std::max(0.0, (below - from) / (below - own));
  }
  double sum = 0;  // the integral of the level's hat
  if (first) {
    sum += std::max(0.0, std::min(to, own) - from);
  } else if (const double low = std::max(from, above), high = std::min(to, own); high > low) {
    sum += (high - low) * (high + low - 2 * above) / (2 * (own - above));
  }
  if (last) {
    sum += std::max(0.0, to - std::max(from, own));
  } else if (const double low = std::max(from, own), high = std::min(to, below); high > low) {
    sum += (high - low) * (2 * below - high - low) / (2 * (below - own));
  }
  return sum / (to - from);
}

}  // namespace tidewise::ingest

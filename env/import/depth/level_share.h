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
  const bool is_first = k == 0;
  const bool is_last = k + 1 == count;
  const double centre = depth[k];
  const double above = is_first ? centre : depth[k - 1];
  const double below = is_last ? centre : depth[k + 1];
  if (!(to > from)) {
    if (from <= centre)
      return is_first || from == centre ? 1 : std::max(0.0, (from - above) / (centre - above));
    return is_last ? 1 : std::max(0.0, (below - from) / (below - centre));
  }
  double sum = 0;  // the integral of the level's hat function
  if (is_first) {
    sum += std::max(0.0, std::min(to, centre) - from);
  } else if (const double low = std::max(from, above), high = std::min(to, centre); high > low) {
    sum += (high - low) * (high + low - 2 * above) / (2 * (centre - above));
  }
  if (is_last) {
    sum += std::max(0.0, to - std::max(from, centre));
  } else if (const double low = std::max(from, centre), high = std::min(to, below); high > low) {
    sum += (high - low) * (2 * below - high - low) / (2 * (below - centre));
  }
  return sum / (to - from);
}

}  // namespace tidewise::ingest

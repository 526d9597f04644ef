#include "env/areas/levels_within.h"

#include <algorithm>

namespace tidewise {

std::pair<std::size_t, std::size_t> levels_within(const std::vector<double>& levels, double start,
                                                  double stop) {
  const auto first = std::lower_bound(levels.begin(), levels.end(), start) - levels.begin();
  const auto end = std::upper_bound(levels.begin(), levels.end(), stop) - levels.begin();
  if (first < end) return {first, end};
  if (first == 0 || first == static_cast<std::ptrdiff_t>(levels.size())) return {0, 0};
  const double middle = (start + stop) / 2;
  const auto next = static_cast<std::size_t>(first);
  const bool earlier = middle - levels[next - 1] <= levels[next] - middle;
  const std::size_t nearest = earlier ? next - 1 : next;
  return {nearest, nearest + 1};
}

}  // namespace tidewise

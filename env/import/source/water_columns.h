#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace tidewise::ingest {

/// A source's fields at one time at all depths: in a column linear between its levels, and constant
/// above the first and below the last level with water.
struct WaterColumns {
  std::size_t point_count = 0;
  std::size_t level_count = 1;
  std::vector<double> fields;    ///< (level, plane, point), NaN where missing
  std::vector<double> depth;     ///< [m], ascending, (level) or (point, level)
  std::vector<std::size_t> wet;  ///< (point): number of levels with water, from the first on
  /// The greatest depth of a dive [m], (point): that of the profiles, or the margin above the
  /// bottom; below 0 if the water is too shallow for dives.
  std::vector<double> dive_end;

  /// The value of a plane (variable, member) at a depth [m]; NaN in a column without water.
  double at(std::size_t plane, std::size_t point, double target_depth) const {
    if (wet[point] == 0) return std::numeric_limits<double>::quiet_NaN();
    const double* depths = depth.data() + (depth.size() > level_count ? point * level_count : 0);
    const auto deeper = static_cast<std::size_t>(
        std::upper_bound(depths, depths + wet[point], target_depth) - depths);
    const std::size_t upper = deeper > 0 ? deeper - 1 : 0;
    const std::size_t lower = std::min(deeper, wet[point] - 1);
    const std::size_t planes = fields.size() / (level_count * point_count);
    const auto value = [&](std::size_t level) {
      return fields[(level * planes + plane) * point_count + point];
    };
    if (upper == lower) return value(upper);
    return value(upper) + (target_depth - depths[upper]) / (depths[lower] - depths[upper]) *
                              (value(lower) - value(upper));
  }
};

}  // namespace tidewise::ingest

#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// The rows of a grid that one of several solvers holds: its band, for which it computes the
/// policy, and the halo around it, the rows that a step from the band can reach. Ends are not
/// included.
struct RowWindow {
  std::int32_t begin = 0;  ///< the band
  std::int32_t end = 0;
  std::int32_t known_begin = 0;  ///< band and halo, clipped at the grid's borders
  std::int32_t known_end = 0;

  /// Number of rows of the band.
  std::int32_t size() const { return end - begin; }
  /// Number of rows of band and halo.
  std::int32_t known_size() const { return known_end - known_begin; }
  /// Rows of the halo to the south and to the north of the band.
  std::int32_t south_halo() const { return begin - known_begin; }
  std::int32_t north_halo() const { return known_end - end; }
  bool operator==(const RowWindow&) const = default;
};

/// The window of all ny rows of a grid.
RowWindow all_rows(std::int32_t ny);

/// A grid of the known rows only, whose row 0 is known_begin. Requires that the window lies in
/// `grid`.
Grid window_grid(const Grid& grid, const RowWindow& window);

/// Subdomains from south to north whose heights differ by one row at most, each with a halo of
/// `halo` rows on either side. Requires 1 ≤ parts ≤ ny and 0 ≤ halo ≤ the smallest band's height,
/// so that a halo lies only in the adjacent bands.
std::vector<RowWindow> divide_rows(std::int32_t ny, std::int32_t parts, std::int32_t halo);

}  // namespace tidewise

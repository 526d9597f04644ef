#include "env/row_window.h"

#include <algorithm>
#include <stdexcept>

namespace tidewise {

RowWindow all_rows(std::int32_t ny) { return {0, ny, 0, ny}; }

Grid window_grid(const Grid& grid, const RowWindow& window) {
  const bool ordered = 0 <= window.known_begin && window.known_begin <= window.begin &&
                       window.begin < window.end && window.end <= window.known_end &&
                       window.known_end <= grid.ny;
  if (!ordered) throw std::invalid_argument("a window that is empty or reaches beyond the grid");
  Grid part = grid;
  part.ny = window.known_size();
  part.y_first = grid.y(window.known_begin);
  part.first_row = grid.first_row + window.known_begin;
  return part;
}

std::vector<RowWindow> divide_rows(std::int32_t ny, std::int32_t parts, std::int32_t halo) {
  if (parts < 1 || parts > ny) throw std::invalid_argument("more bands than rows, or none");
  if (halo < 0 || (parts > 1 && halo > ny / parts)) {
    throw std::invalid_argument("a halo that is higher than a band");
  }
  std::vector<RowWindow> windows;
  for (std::int32_t part = 0; part < parts; ++part) {
    const auto row = [&](std::int32_t n) {
      return static_cast<std::int32_t>(std::int64_t{ny} * n / parts);
    };
    const std::int32_t begin = row(part);
    const std::int32_t end = row(part + 1);
    windows.push_back({begin, end, std::max(begin - halo, 0), std::min(end + halo, ny)});
  }
  return windows;
}

}  // namespace tidewise

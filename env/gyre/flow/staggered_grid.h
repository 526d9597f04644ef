#pragma once

#include <cstddef>

namespace tidewise::gyre {

/// The unit square in nx × ny cells, velocity on the cells' faces and pressure at their centres
/// (Arakawa C grid; Harlow and Welch 1965). All lengths are in units of the basin's side.
struct StaggeredGrid {
  int nx = 0;
  int ny = 0;

  /// Width and height of a cell.
  double dx() const { return 1.0 / nx; }
  double dy() const { return 1.0 / ny; }
  double cell_area() const { return dx() * dy(); }

  std::size_t cell_count() const { return size(nx) * size(ny); }
  /// u: (y, face of x), ny rows of nx + 1; the first and last are walls.
  std::size_t u_count() const { return size(nx + 1) * size(ny); }
  /// v: (face of y, x), ny + 1 rows of nx; the first and last rows are walls.
  std::size_t v_count() const { return size(nx) * size(ny + 1); }
  std::size_t velocity_count() const { return u_count() + v_count(); }
  /// Corners of cells: (face of y, face of x), ny + 1 rows of nx + 1.
  std::size_t corner_count() const { return size(nx + 1) * size(ny + 1); }

  /// Offsets of u's row j (0 … ny−1) and of v's row j (0 … ny) in a field's values.
  std::size_t u_row(int j) const { return size(j) * size(nx + 1); }
  std::size_t v_row(int j) const { return u_count() + size(j) * size(nx); }

  bool operator==(const StaggeredGrid&) const = default;

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
};

}  // namespace tidewise::gyre
